import {
  branchWorkspace,
  createRuntime,
  createWorkspace,
  type FsAdapter,
  fileTools,
  toBashFs,
  toModelText,
  toNodeFs,
  type Workspace,
} from 'toolport'
import { createGit, gitCommand } from 'toolport/adapters/git'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { importEntries } from 'toolport/archive'
import { type FaultOperation, type Faults, forEachFault, withFaults } from 'toolport/testing'
import { expect } from 'vitest'

type Run = (workspace: Workspace) => Promise<unknown>

interface FaultCase {
  /** Creates the initial state, and returns the work that runs while the storage fails. */
  prepare(workspace: Workspace): Promise<Run>
  /** Whether the workspace must reject the work. */
  readonly isRefused?: true
  /** Only every nth read-only call fails. Default: 1, every call. */
  readonly lookStep?: number
}

const CHANGES = ({ changes }: FaultOperation): boolean => changes
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const author = { name: 'A', email: 'a@example.com' }

async function furnish(workspace: Workspace): Promise<void> {
  await workspace.writeText('file', 'old')
  await workspace.writeText('other', 'other')
  await workspace.writeText('d/one', '1')
  await workspace.writeText('d/e/two', '2')
  await workspace.mkdir('empty')
  await workspace.symlink('other', 'link')
  await workspace.symlink('file', 'link2')
}

async function furnishMount(workspace: Workspace): Promise<void> {
  await workspace.writeText('m/file', 'old in m')
  await workspace.writeText('m/tree/x', 'x')
  await workspace.symlink('file', 'm/link')
}

/** Replaces each kind of entry by each other kind. */
async function rearrange(workspace: Workspace): Promise<void> {
  await workspace.writeText('file', 'new')
  for (const path of ['link', 'link2', 'other', 'd/one']) await workspace.remove(path)
  await workspace.symlink('d', 'link')
  await workspace.writeText('link2', 'was a link')
  await workspace.symlink('file', 'other')
  await workspace.mkdir('d/one')
  await workspace.remove('d/e', { recursive: true })
  await workspace.writeText('d/e', 'was a directory')
  await workspace.writeText('added', 'added')
}

const moved = (from: string, to: string): FaultCase => ({
  async prepare(workspace) {
    await furnish(workspace)
    await furnishMount(workspace)
    return (broken) => broken.move(from, to, { overwrite: true })
  },
})

const copied = (from: string, to: string): FaultCase => ({
  async prepare(workspace) {
    await furnish(workspace)
    await furnishMount(workspace)
    return (broken) => broken.copy(from, to, { overwrite: true })
  },
})

const toBash = (workspace: Workspace) => toBashFs(workspace, { scratch: createMemoryFs() })

/** The work would overwrite a file through a chain of symlinks to that file, and so destroy the only content. */
const ontoOwnTarget = (run: Run): FaultCase => ({
  isRefused: true,
  async prepare(workspace) {
    await furnish(workspace)
    await workspace.symlink('../link', 'd/chain')
    return run
  },
})

export const faultCases: Readonly<Record<string, FaultCase>> = {
  'copy: a file over a file': copied('other', 'file'),
  'copy: a file over a link': copied('file', 'link'),
  'copy: a link over a file': copied('link', 'file'),
  'copy: a link over a link': copied('link', 'link2'),
  'copy: a link over a file of another storage': copied('link', 'm/file'),
  'copy: a file of another storage over a link': copied('m/file', 'link'),
  'copy: a directory': copied('d', 'copy'),
  'move: a file over a file': moved('other', 'file'),
  'move: a file over a link': moved('file', 'link'),
  'move: a directory over an empty one': moved('d', 'empty'),
  'move: a file to another storage': moved('file', 'm/file'),
  'move: a file from another storage, over a link': moved('m/file', 'link'),
  'move: a link from another storage, over a file': moved('m/link', 'file'),
  'move: a directory from another storage, over an empty one': moved('m/tree', 'empty'),
  'move: a link over a link': moved('link', 'link2'),
  'move: a link over its target': ontoOwnTarget((broken) => broken.move('link', 'other', { overwrite: true })),
  'move: a link over its target through another link': ontoOwnTarget((broken) => broken.move('d/chain', 'other', { overwrite: true })),
  'copy: a link over a link on its own path': ontoOwnTarget((broken) => broken.copy('d/chain', 'link', { overwrite: true })),
  'node: a link is renamed over its target': ontoOwnTarget((broken) => toNodeFs(broken).promises.rename('link', 'other')),
  'bash: a link is moved over its target': ontoOwnTarget((broken) => toBash(broken).mv('link', 'other')),
  restore: {
    async prepare(workspace) {
      await furnish(workspace)
      await rearrange(workspace)
      const { id } = await workspace.checkpoint()
      for (const { name } of await workspace.list('/workspace')) if (name !== 'm') await workspace.remove(name, { recursive: true })
      await furnish(workspace)
      return (broken) => broken.restore(id)
    },
  },
  commit: {
    async prepare(workspace) {
      await furnish(workspace)
      return async (broken) => {
        const branch = branchWorkspace(broken)
        await rearrange(branch.workspace)
        await branch.commit()
      }
    },
  },
  import: {
    async prepare(workspace) {
      await furnish(workspace)
      return (broken) =>
        importEntries(
          broken,
          [
            { path: 'file', kind: 'file', size: 3, content: utf8('new') },
            { path: 'link', kind: 'symlink', size: 0, target: 'd/one' },
            { path: 'link2', kind: 'file', size: 10, content: utf8('was a link') },
            { path: 'other', kind: 'symlink', size: 0, target: 'file' },
            { path: 'fresh/f', kind: 'file', size: 1, content: utf8('f') },
          ],
          { overwrite: 'replace', links: 'keep' },
        )
    },
  },
  'git checkout': {
    // The client makes hundreds of read-only calls, and prints each failure on the console.
    lookStep: 29,
    async prepare(workspace) {
      const git = createGit({ workspace, author })
      await git.init()
      await workspace.writeText('file', 'old')
      await workspace.writeText('script', 'echo')
      await workspace.writeText('other', 'other')
      await workspace.writeText('d/one', '1')
      await workspace.symlink('other', 'link')
      await git.add({ paths: ['.'] })
      await git.commit({ message: 'one' })
      await git.checkout({ ref: 'new', create: true })
      await workspace.writeText('file', 'new')
      if (workspace.fs.can.mode) await workspace.setMeta('script', { mode: 0o755 })
      for (const path of ['link', 'other']) await workspace.remove(path)
      await workspace.writeText('link', 'was a link')
      await workspace.symlink('file', 'other')
      await workspace.writeText('d/added', 'added')
      await git.add({ paths: ['.'] })
      await git.commit({ message: 'two' })
      await git.checkout({ ref: 'main' })
      return (broken) => createGit({ workspace: broken, author }).checkout({ ref: 'new' })
    },
  },
  'git checkout: a directory in the place of a file, a file in that of a directory': {
    lookStep: 29,
    async prepare(workspace) {
      const git = createGit({ workspace, author })
      await git.init()
      await workspace.writeText('file', 'old')
      await workspace.writeText('d/one', '1')
      await workspace.writeText('d/e/two', '2')
      await workspace.writeText('f/gone', 'gone')
      await workspace.symlink('file', 'link')
      await git.add({ paths: ['.'] })
      await git.commit({ message: 'one' })
      await git.checkout({ ref: 'new', create: true })
      for (const path of ['file', 'd', 'f', 'link']) await workspace.remove(path, { recursive: true })
      await workspace.writeText('file/a', 'a')
      await workspace.writeText('file/b/c', 'c')
      await workspace.writeText('d', 'was a directory')
      await workspace.writeText('f/came', 'came')
      await workspace.writeText('link/in', 'in')
      await git.add({ paths: ['.'] })
      await git.commit({ message: 'two' })
      await git.checkout({ ref: 'main' })
      return (broken) => createGit({ workspace: broken, author }).checkout({ ref: 'new' })
    },
  },
  'git reset --hard in the shell': {
    lookStep: 97,
    async prepare(workspace) {
      const git = createGit({ workspace, author })
      await git.init()
      await workspace.writeText('file', 'old')
      await workspace.writeText('d/one', '1')
      await workspace.writeText('other', 'other')
      await workspace.symlink('file', 'link')
      await git.add({ paths: ['.'] })
      const { oid } = await git.commit({ message: 'one' })
      for (const path of ['file', 'd', 'link', 'other']) await workspace.remove(path, { recursive: true })
      await workspace.writeText('file/a', 'a')
      await workspace.writeText('d', 'was a directory')
      await workspace.writeText('link', 'was a link')
      await workspace.symlink('link', 'other')
      await git.add({ paths: ['.'] })
      await git.commit({ message: 'two' })
      return async (broken) => {
        const shell = createJustBashShell({ scratch: createMemoryFs(), commands: [gitCommand({ author })] })(broken)
        const { exitCode, stderr } = await shell.exec(`git reset -q --hard ${oid}`)
        if (exitCode !== 0) throw new Error(stderr)
      }
    },
  },
  'apply_patch: deleted and added files': {
    async prepare(workspace) {
      await furnish(workspace)
      const patch = `*** Begin Patch\n*** Delete File: file\n*** Delete File: link\n*** Delete File: d/e/two\n*** Add File: added\n+new\n*** End Patch\n`
      return async (broken) => {
        const runtime = createRuntime({ workspace: broken, tools: fileTools() })
        const result = await runtime.execute({ name: 'apply_patch', input: { patch } })
        if (!result.ok) throw new Error(toModelText(result))
      }
    },
  },
  'node: a file is copied over another': {
    async prepare(workspace) {
      await furnish(workspace)
      return (broken) => toNodeFs(broken).promises.copyFile('other', 'file')
    },
  },
  'bash: a file and a directory of a private folder replace a link and an empty directory': {
    async prepare(workspace) {
      await furnish(workspace)
      return async (broken) => {
        const fs = toBash(broken)
        await fs.writeFile('/tmp/a', 'from a')
        await fs.mkdir('/tmp/b')
        await fs.writeFile('/tmp/b/c', 'from b')
        await fs.mv('/tmp/a', '/workspace/link')
        await fs.mv('/tmp/b', '/workspace/empty')
      }
    },
  },
  'bash: entries of a private folder replace a link, a file and a directory’s file': {
    async prepare(workspace) {
      await furnish(workspace)
      return async (broken) => {
        const fs = toBash(broken)
        for (const name of ['a', 'b', 'c']) await fs.writeFile(`/tmp/${name}`, `from ${name}`)
        await fs.mv('/tmp/a', '/workspace/link')
        await fs.mv('/tmp/b', '/workspace/file')
        await fs.cp('/tmp/c', '/workspace/d/one')
        await fs.replace('/workspace/other', { target: 'file' })
        await fs.replace('/workspace/link2', { content: utf8('content') })
      }
    },
  },
}

/** Path -> content, `-> target`, or `/` for a directory. Git's own files are skipped. */
async function stateOf(workspace: Workspace): Promise<Map<string, string>> {
  const state = new Map<string, string>()
  for await (const run of workspace.walk(workspace.root, { hidden: true, ignore: false })) {
    for (const { path, kind } of run) {
      if (path.startsWith(`${workspace.root}/.git`)) continue
      if (kind === 'dir') state.set(path, '/')
      else if (kind === 'symlink') state.set(path, `-> ${await workspace.readlink(path)}`)
      else state.set(path, new TextDecoder().decode((await workspace.readBytes(path)).bytes))
    }
  }
  return state
}

/**
 * Makes every changing call fail once: alone or with all later calls, and instead of or after its work. Every read-only call fails once
 * too. `every`: only every nth call fails, with other calls for each kind of fault.
 */
export async function atEveryStep({ prepare, isRefused, lookStep = 1 }: FaultCase, make: () => FsAdapter, every = 1): Promise<void> {
  let before: Map<string, string> | undefined
  let after = new Map<string, string>()
  const body = async (faults: Faults): Promise<void> => {
    faults.stop()
    const [fs, m] = [make(), createMemoryFs()]
    const open = (root: FsAdapter): Workspace => createWorkspace({ fs: root, mounts: { m }, root: '/workspace' })
    const workspace = open(withFaults(fs, faults))
    const run = await prepare(workspace)
    before ??= await stateOf(open(fs))
    faults.start()
    const failure = await run(workspace).then(
      () => undefined,
      (error: unknown) => error,
    )
    faults.stop()
    const now = await stateOf(open(fs))
    const [fired] = faults.fired
    if (!fired) {
      after = now
      if (isRefused) expect([failure, after]).toEqual([expect.objectContaining({ code: 'EINVAL' }), before])
      else expect(failure).toBeUndefined()
      if (!isRefused) expect(after).not.toEqual(before)
      return
    }
    // After these faults, the storage rejects the calls that would restore or remove temporary files.
    const isForGood = fired.fault === 'disconnect' || fired.fault === 'kill'
    const aside = [...now].filter(([path]) => isForGood && path.includes('/.toolport-new-')).map(([, content]) => content)
    for (const path of aside.length > 0 ? now.keys() : []) {
      const [name] = /^.*\/\.toolport-new-[^/]*/.exec(path) ?? []
      // If a temporary file is the only copy of a content, the error must name it.
      const isOnly = [...before].some(([old, content]) => !now.has(old) && content === now.get(path))
      if (name !== undefined && isOnly) expect(String(failure)).toContain(name)
    }
    for (const path of new Set([...before.keys(), ...after.keys(), ...now.keys()])) {
      if (aside.length > 0 && (path.includes('/.toolport-new-') || ['/', ...aside].includes(before.get(path) ?? ''))) continue
      expect([before.get(path), after.get(path)], `${path}: ${String(failure)}`).toContain(now.get(path))
    }
  }
  const changing = (['EIO', 'unacknowledged', 'disconnect', 'kill'] as const).map((fault) => ({ fault, when: CHANGES }))
  await forEachFault(body, { faults: changing, every })
  await forEachFault(body, { faults: [{ fault: 'EIO', when: (operation) => !CHANGES(operation) }], every: every * lookStep })
}
