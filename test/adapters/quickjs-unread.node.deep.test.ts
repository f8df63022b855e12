// @module-tag quickjs
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkspace, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs, createNodeJs } from 'toolport/adapters/node'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { afterAll, describe, expect, it } from 'vitest'

/** The files before each program. */
const FILES = { 'a.txt': 'one', 'b.txt': 'two', 'd/x.txt': 'x', 'd/e/y.txt': 'y', 'other/k.txt': 'k' }

const IMPORTS = `import fs, { readFileSync, writeFileSync } from 'node:fs'
import * as p from 'node:fs/promises'
const tell = (work) => work.then((value) => console.log(JSON.stringify(value ?? null)), ({ code }) => console.log(code))
`

/** Programs that start without any file contents in memory. Each must behave as in Node. */
const PROGRAMS: Readonly<Record<string, string>> = {
  reading: `await tell(p.readFile('a.txt', 'utf8')); await tell(p.readFile('d/e/y.txt', 'utf8')); await tell(p.readFile('none', 'utf8'))`,
  stat: `for (const path of ['a.txt', 'd', 'none', 'a.txt/x']) await tell(p.stat(path).then((s) => [s.isFile(), s.isFile() && s.size]))`,
  'many reads at once': `console.log((await Promise.all(['a.txt', 'b.txt', 'd/x.txt'].map((f) => p.readFile(f, 'utf8')))).join())`,
  writing: `await p.writeFile('a.txt', 'ONE'); await p.writeFile('new.txt', 'n'); await tell(p.readFile('a.txt', 'utf8'))`,
  'writing without a look': `writeFileSync('a.txt', 'ONE'); writeFileSync('new.txt', 'n'); console.log(readFileSync('a.txt', 'utf8'))`,
  appending: `await p.appendFile('a.txt', '+'); await p.appendFile('new.txt', '+'); await tell(p.readFile('a.txt', 'utf8'))`,
  'truncating a file': `await p.truncate('a.txt', 1); await tell(p.readFile('a.txt', 'utf8'))`,
  'exclusive writes': `await tell(p.writeFile('a.txt', 'lost', { flag: 'wx' })); await tell(p.writeFile('n.txt', 'n', { flag: 'wx' }))`,
  'moving a file': `await p.rename('a.txt', 'b.txt'); await tell(p.readFile('b.txt', 'utf8')); await tell(p.stat('a.txt'))`,
  'moving a directory': `await p.rename('d', 'moved'); await tell(p.readdir('moved', { recursive: true }).then((n) => n.sort())); await tell(p.readFile('moved/e/y.txt', 'utf8'))`,
  'moving a directory over a non-empty one': `await p.mkdir('new'); await p.writeFile('new/k', 'k'); await tell(p.rename('new', 'other'))`,
  'moving a directory over an empty one': `await p.mkdir('empty'); await tell(p.rename('d', 'empty')); await tell(p.readdir('empty').then((n) => n.sort()))`,
  'removing a non-empty directory': `await tell(p.rmdir('d')); await tell(p.rm('d', { force: true }).catch(() => 'refused'))`,
  'removing a tree': `await p.rm('d', { recursive: true }); await tell(p.readdir('.').then((n) => n.sort()))`,
  'removing, and making again': `await p.rm('d', { recursive: true }); await p.mkdir('d'); await p.writeFile('d/x.txt', 'new'); await tell(p.readdir('d'))`,
  'removing, and moving something there': `await p.mkdir('t'); await p.writeFile('t/x.txt', 'new'); await p.rm('d', { recursive: true }); await p.rename('t', 'd'); await tell(p.readdir('d'))`,
  copying: `await p.copyFile('a.txt', 'c.txt'); await p.copyFile('a.txt', 'b.txt'); await tell(p.readFile('b.txt', 'utf8'))`,
  'copying a directory': `await p.cp('d', 'copy', { recursive: true }); await tell(p.readdir('copy', { recursive: true }).then((n) => n.sort())); await tell(p.readFile('copy/e/y.txt', 'utf8'))`,
  'listing, moving the listed': `await p.readdir('d', { recursive: true }); await p.rename('d', 'z'); await tell(p.readFile('z/e/y.txt', 'utf8'))`,
  'listing and writing': `await p.readdir('d'); writeFileSync('d/x.txt', 'new'); await tell(p.readFile('d/x.txt', 'utf8'))`,
  links: `await p.symlink('a.txt', 'l'); await tell(p.lstat('l').then((s) => s.isSymbolicLink())); await tell(p.readFile('l', 'utf8')); await p.unlink('l'); await tell(p.readFile('a.txt', 'utf8'))`,
  'parts of a file': `const f = await p.open('a.txt'); const b = Buffer.alloc(8); await tell(f.read(b, 0, 8, 1).then((r) => [r.bytesRead, String(b.subarray(0, 2))])); await tell(f.read(b, 0, 8, 9).then((r) => r.bytesRead)); await f.close()`,
  times: `await p.utimes('a.txt', 5, 5); await tell(p.stat('a.txt').then((s) => s.mtimeMs))`,
  'files in directories that end up read-only': `await p.mkdir('ro'); await p.writeFile('ro/f', 'f'); await p.utimes('ro', 5, 5); await p.chmod('ro', 0o500); await tell(p.stat('ro').then((s) => [s.mode & 0o777, s.mtimeMs]))`,
  'reading by stream': `let all = ''; for await (const part of fs.createReadStream('d/e/y.txt', 'utf8')) all += part; console.log(all)`,
}

const opened: { close(): Promise<void> }[] = []
const roots: string[] = []
afterAll(async () => {
  for (const one of opened) await one.close()
  for (const root of roots) rmSync(root, { recursive: true, force: true })
})

async function filled(workspace: Workspace): Promise<Workspace> {
  opened.push(workspace)
  for (const [path, text] of Object.entries(FILES)) await workspace.writeText(path, text)
  return workspace
}

async function treeOf(workspace: Workspace): Promise<readonly string[]> {
  const found: string[] = []
  for await (const batch of workspace.walk(workspace.root, { ignore: false })) {
    for (const { path, kind } of batch) {
      const content = kind === 'file' ? (await workspace.readText(path)).text : kind
      found.push(`${path.slice(workspace.root.length)}: ${content}`)
    }
  }
  return found.sort()
}

async function inNode(code: string): Promise<unknown> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-unread-')))
  roots.push(root)
  const workspace = await filled(createWorkspace({ fs: createNodeFs({ root }) }))
  const { stdout, stderr, exitCode } = await createNodeJs({ permissions: false })(workspace).run({ code })
  return { stdout, stderr, exitCode, tree: await treeOf(workspace) }
}

async function inQuickJs(code: string, snapshot: { readonly maxFiles?: number; readonly maxBytes?: number }): Promise<unknown> {
  const workspace = await filled(createWorkspace({ fs: createMemoryFs() }))
  const { stdout, stderr, exitCode } = await createQuickJs({ worker: false, snapshot })(workspace).run({ code })
  return { stdout, stderr, exitCode, tree: await treeOf(workspace) }
}

describe('a program without a snapshot of the files', () => {
  for (const [title, program] of Object.entries(PROGRAMS)) {
    it.concurrent(`gives the results of Node: ${title}`, async ({ expect: same }) => {
      const code = IMPORTS + program
      const expected = await inNode(code)
      // One program is excluded: it writes to a name that the snapshot does not contain, which is rejected.
      if (title !== 'writing without a look') same(await inQuickJs(code, { maxFiles: 0 })).toEqual(expected)
      same(await inQuickJs(code, { maxBytes: 0 })).toEqual(expected)
      same(await inQuickJs(code, {})).toEqual(expected)
    })
  }
})

describe('large files', () => {
  const MIB = 2 ** 20
  const run = async (program: string, memoryBytes: number): Promise<unknown> => {
    const asked: (number | undefined)[] = []
    const fs = createMemoryFs()
    const workspace = createWorkspace({ fs, quotas: { fileBytes: 100 * MIB } })
    opened.push(workspace)
    await workspace.writeBytes('big', new Uint8Array(40 * MIB).fill(97))
    const read = fs.read.bind(fs)
    fs.read = async (path, options) => {
      asked.push(options?.length)
      return read(path, options)
    }
    const { stdout, exitCode } = await createQuickJs({ worker: false, snapshot: { maxBytes: MIB } })(workspace).run({
      code: IMPORTS + program,
      memoryBytes,
    })
    return { stdout, exitCode, most: Math.max(...asked.map((length) => length ?? Number.POSITIVE_INFINITY)) }
  }

  it('are not read by stat, overwriting or removal', async () => {
    const program = `await tell(p.stat('big').then((s) => s.size)); await p.symlink('big', 'l'); await tell(p.lstat('l').then((s) => s.size))
      await p.access('big'); await p.unlink('l'); await p.writeFile('big', 'x'); await p.unlink('big'); await tell(p.readdir('.'))`
    expect(await run(program, 64 * MIB)).toEqual({ stdout: `${40 * MIB}\n3\n[]\n`, exitCode: 0, most: 0 })
  })

  it('are read in pieces', async () => {
    expect(await run(`await tell(p.readFile('big').then((b) => [b.length, b.every((c) => c === 97)]))`, 256 * MIB)).toEqual({
      stdout: `[${40 * MIB},true]\n`,
      exitCode: 0,
      most: 4 * MIB,
    })
  })

  it('are rejected if they exceed the memory of the program', async () => {
    const program = `await p.readFile('big').catch(({ message }) => console.log(message)); await tell(p.copyFile('big', 'c')); await tell(p.readdir('.'))`
    const { stdout } = (await run(program, 32 * MIB)) as { stdout: string }
    expect(stdout).toMatch(
      /^ENOMEM: not enough memory, .*it has 41943040 bytes, and of 33554432 that this program may hold \d+ can be read.*\nENOMEM\n\["big"\]\n$/,
    )
  })
})

describe('changes by others while a program runs', () => {
  const run = async (
    program: string,
    meanwhile: (workspace: Workspace) => Promise<unknown>,
    snapshot: { readonly maxFiles?: number; readonly maxBytes?: number } = {},
  ): Promise<unknown> => {
    const workspace = await filled(createWorkspace({ fs: createMemoryFs() }))
    const invokeTool = async (): Promise<void> => void (await meanwhile(workspace))
    const { stdout, stderr, exitCode } = await createQuickJs({ worker: false, snapshot })(workspace).run({
      code: IMPORTS + program,
      grants: { fs: 'write', invokeTool },
    })
    return { stdout, stderr: stderr.replaceAll(/: .*/g, ''), exitCode, tree: await treeOf(workspace) }
  }
  const text = async (path: string, content: string): Promise<string> => `/${path}: ${content}`
  const others = ['/b.txt: two', '/d/e/y.txt: y', '/d/e: dir', '/d/x.txt: x', '/d: dir', '/other/k.txt: k', '/other: dir']

  for (const snapshot of [{}, { maxFiles: 0 }, { maxBytes: 0 }]) {
    const known = JSON.stringify(snapshot)

    it(`are not overwritten by content based on an earlier read: ${known}`, async () => {
      const program = `const text = await p.readFile('a.txt', 'utf8'); await invokeTool('x', {}); await p.stat('a.txt'); await p.writeFile('a.txt', text + '!')`
      expect(await run(program, (workspace) => workspace.writeText('a.txt', 'theirs'), snapshot)).toEqual({
        stdout: '',
        stderr: 'ESTALE\n',
        exitCode: 1,
        tree: [await text('a.txt', 'theirs'), ...others].sort(),
      })
    })

    it(`do not lose a moved file if its target now exists: ${known}`, async () => {
      const program = `await p.rename('a.txt', 'new.txt'); await invokeTool('x', {})`
      expect(await run(program, (workspace) => workspace.writeText('new.txt', 'theirs'), snapshot)).toEqual({
        stdout: '',
        stderr: 'EEXIST\n',
        exitCode: 1,
        tree: [await text('a.txt', 'one'), await text('new.txt', 'theirs'), ...others].sort(),
      })
    })

    for (const make of [
      `writeFileSync('new.txt', 'mine', { flag: 'wx' })`,
      `fs.appendFileSync('new.txt', 'mine')`,
      `await p.writeFile('new.txt', 'mine')`,
    ]) {
      it(`are not overwritten where no file was before: ${make}, ${known}`, async () => {
        const found = await run(`await invokeTool('x', {}); ${make}`, (workspace) => workspace.writeText('new.txt', 'theirs'), snapshot)
        // Asynchronous calls see the current state of the workspace.
        const mine = make.includes('await')
        expect(found).toMatchObject({ exitCode: mine ? 0 : 1, tree: expect.arrayContaining([`/new.txt: ${mine ? 'mine' : 'theirs'}`]) })
      })
    }
  }

  const writes = (path: string) => async (workspace: Workspace) => workspace.writeText(path, 'theirs')

  it('do not lose files in a chain of moves', async () => {
    const rotate = `readFileSync('a.txt'); fs.renameSync('b.txt', 'd/x.txt'); fs.renameSync('a.txt', 'b.txt'); writeFileSync('a.txt', 'new'); await invokeTool('x', {})`
    expect(await run(rotate, writes('d/x.txt'))).toMatchObject({
      exitCode: 1,
      tree: expect.arrayContaining(['/a.txt: one', '/b.txt: two', '/d/x.txt: theirs']),
    })
    const chain = `fs.renameSync('a.txt', 'b.txt'); fs.renameSync('b.txt', 'd/x.txt'); await invokeTool('x', {})`
    expect(await run(chain, writes('d/x.txt'))).toMatchObject({
      exitCode: 1,
      tree: expect.arrayContaining(['/a.txt: one', '/d/x.txt: theirs']),
    })
  })

  it('keep the mode and time of their file', async () => {
    const program = `readFileSync('a.txt'); writeFileSync('a.txt', 'mine'); fs.chmodSync('a.txt', 0o755); fs.utimesSync('a.txt', 5, 5)
      await invokeTool('x', {})`
    let stat: unknown
    const workspaces: Workspace[] = []
    const found = await run(program, async (workspace) => {
      workspaces.push(workspace)
      await workspace.writeText('a.txt', 'theirs')
      stat = await workspace.lstat('a.txt')
    })
    expect(found).toMatchObject({ exitCode: 1, tree: expect.arrayContaining(['/a.txt: theirs']) })
    expect(await workspaces[0]?.lstat('a.txt')).toEqual(stat)
  })

  it('a concurrent removal of the same file is not an error', async () => {
    const program = `fs.rmSync('a.txt'); await invokeTool('x', {})`
    expect(await run(program, (workspace) => workspace.remove('a.txt'))).toMatchObject({ exitCode: 0, stderr: '', tree: others.toSorted() })
  })

  it('a growing file is read completely', async () => {
    const fs = createMemoryFs()
    const workspace = createWorkspace({ fs, quotas: { fileBytes: 2 ** 25 } })
    opened.push(workspace)
    await workspace.writeText('grows', 'short')
    const lstat = fs.lstat.bind(fs)
    let grown = false
    fs.lstat = async (path) => {
      const found = await lstat(path)
      if (path.endsWith('grows') && !grown) {
        grown = true
        await fs.write(path, new Uint8Array(9 * 2 ** 20).fill(97))
      }
      return found
    }
    const { stdout } = await createQuickJs({ worker: false, snapshot: { maxFiles: 0 } })(workspace).run({
      code: `${IMPORTS}await tell(p.readFile('grows').then((bytes) => bytes.length))`,
    })
    expect(stdout).toBe(`${9 * 2 ** 20}\n`)
  })
})

describe('a file descriptor closed during a write', () => {
  it('does not write to another file with the same descriptor number', async () => {
    const workspace = await filled(createWorkspace({ fs: createMemoryFs() }))
    const code = `${IMPORTS}const w = fs.createWriteStream('a.txt'); await new Promise((done) => w.on('open', done))
      w.on('error', () => {}); w.write('mine'); w.destroy(); fs.openSync('b.txt', 'w'); await new Promise((done) => setTimeout(done, 50))`
    expect(await createQuickJs({ worker: false })(workspace).run({ code })).toMatchObject({ exitCode: 0 })
    expect(await workspace.readText('b.txt')).toMatchObject({ text: '' })
  })
})
