// @module-tag drop-ins
import { createRuntime, createWorkspace, fileTools, searchTools, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type MastraFilesystem, type MastraFilesystemOptions, mastraFilesystem, mastraSandbox } from 'toolport/formats'
import { describe, expect, it } from 'vitest'
import { bytes, type Files, rejection, runtimeOver, watched, withLinkOut } from './support.js'

// test/package/mastra.node.deep.test.ts runs the same interfaces with `@mastra/core`, which is too large for every `npm ci`.

class FilesystemError extends Error {
  readonly code: string
  readonly path: string
  constructor(message: string, code: string, path: string) {
    super(message)
    this.code = code
    this.path = path
  }
}

const pathError = (code: string) =>
  class extends FilesystemError {
    constructor(path: string) {
      super('', code, path)
    }
  }

const errors = {
  FilesystemError,
  FileNotFoundError: pathError('ENOENT'),
  DirectoryNotFoundError: pathError('ENOENT'),
  FileExistsError: pathError('EEXIST'),
  IsDirectoryError: pathError('EISDIR'),
  NotDirectoryError: pathError('ENOTDIR'),
  DirectoryNotEmptyError: pathError('ENOTEMPTY'),
  StaleFileError: class extends FilesystemError {
    constructor(path: string, expected: Date, actual: Date) {
      super(`${expected.getTime()} ${actual.getTime()}`, 'ESTALE', path)
    }
  },
}
const { DirectoryNotEmptyError, DirectoryNotFoundError, FileExistsError, FileNotFoundError } = errors
const { IsDirectoryError, NotDirectoryError, StaleFileError } = errors

const FILES: Files = { 'a.txt': 'one\ntwo\n', 'src/b.ts': 'const b = 2\n', 'src/deep/c.ts': 'c', 'p.png': bytes(12) }

const over = (runtime: ToolRuntime, options: Partial<MastraFilesystemOptions<Buffer>> = {}): MastraFilesystem<Buffer> =>
  mastraFilesystem(runtime, { errors, Buffer, ...options })

describe('paths', () => {
  it('are relative to the cwd, and absolute outside the cwd', async () => {
    const files = over(runtimeOver({ 'app/a.txt': 'in', 'lib/b.txt': 'out' }, { cwd: '/workspace/app' }))
    expect(await files.readFile('a.txt', { encoding: 'utf-8' })).toBe('in')
    expect(await files.readFile('/workspace/lib/b.txt', { encoding: 'utf-8' })).toBe('out')
    expect(await files.stat('/workspace/lib/b.txt')).toMatchObject({ name: 'b.txt', path: '/workspace/lib/b.txt' })
    expect(await files.stat('')).toMatchObject({ name: 'app', path: '.', type: 'directory', size: 0 })
    expect(await rejection(files.readFile('/workspace/app/a.txt'))).toMatchObject({ message: expect.stringContaining('Use "a.txt"') })
    const error = await rejection(files.readFile('../lib/b.txt'))
    expect(error.message).toContain('Use "/workspace/lib/b.txt"')
    expect(files.getInstructions()).toContain('relative to /workspace/app')
  })

  it('have one spelling per file for a change and stat, and a leading "./" only for reads and folders', async () => {
    const asked: string[] = []
    const runtime = createRuntime({
      workspace: createWorkspace({ fs: createMemoryFs({ files: { 'd/a.txt': 'a' } }), backslash: 'separator' }),
      tools: [...fileTools(), ...searchTools()],
      hooks: { onEvent: (event) => void (event.type === 'call_start' && asked.push(event.call.name)) },
    })
    const files = over(runtime)
    const reads = (path: string): Promise<unknown>[] => [files.readFile(path), files.exists(path), files.readdir(path)]
    const exact = (path: string): Promise<unknown>[] => [
      files.stat(path),
      files.writeFile(path, 'x'),
      files.appendFile(path, 'x'),
      files.deleteFile(path, { force: true }),
      files.copyFile(path, 'x'),
      files.copyFile('d/a.txt', path),
      files.moveFile(path, 'x'),
      files.moveFile('d/a.txt', path),
      files.mkdir(path),
      files.rmdir(path, { recursive: true, force: true }),
    ]
    const both = ['/workspace/d/a.txt', 'd//a.txt', 'd/./a.txt', 'd/../d/a.txt', './/d/a.txt', 'd\\a.txt', 'd/a.txt/', './d/a.txt/']
    for (const work of [...both.flatMap(reads), ...[...both, './d/a.txt'].flatMap(exact)].map(rejection))
      expect((await work).message).toContain('Use "d/a.txt"')
    expect(await files.stat('./d')).toMatchObject({ path: 'd', type: 'directory' })
    for (const path of ['d/', './d/']) expect((await rejection(files.stat(path))).message).toContain('Use "d"')
    expect((await rejection(files.readdir('d/'))).message).toContain('Use "d"')
    expect(asked).toEqual([])
    for (const path of ['', '.', './']) expect(await files.stat(path)).toMatchObject({ path: '.' })
    expect(await files.exists('./d/a.txt')).toBe(true)
    expect(await files.readFile('./d/a.txt', { encoding: 'utf8' })).toBe('a')
    expect(await files.readdir('./d')).toEqual([{ name: 'a.txt', type: 'file', size: 1 }])
    expect(await runtime.workspace.files()).toEqual({ 'd/a.txt': 'a' })
  })

  it('do not leave the workspace', async () => {
    const files = over(await withLinkOut())
    for (const path of ['/etc/passwd', '../x', 'out/passwd']) {
      expect((await rejection(files.readFile(path))).message).toContain('outside the workspace')
      expect(await rejection(files.writeFile(path, 'x'))).toBeInstanceOf(FilesystemError)
    }
  })
})

describe('reading', () => {
  it('returns bytes without an encoding, text in the encoding, and rejects a file that is not UTF-8', async () => {
    const latin1 = Uint8Array.from([0x63, 0xe9, 0x0a])
    const files = over(runtimeOver({ 'bom.txt': '\ufeffa\r\n', 'latin1.txt': latin1, '.gitignore': latin1, 'big.bin': bytes(2_500_000) }))
    expect(await files.readFile('bom.txt')).toEqual(Buffer.from('\ufeffa\r\n'))
    expect(await files.readFile('bom.txt', { encoding: 'utf-8' })).toBe('\ufeffa\r\n')
    const error = await rejection(files.readFile('latin1.txt', { encoding: 'utf-8' }))
    expect(error).toBeInstanceOf(FilesystemError)
    expect(error).toMatchObject({ code: 'binary_file', path: 'latin1.txt', message: expect.stringContaining('"base64"') })
    expect(await files.readFile('latin1.txt')).toEqual(Buffer.from(latin1))
    expect(await files.readFile('.gitignore', { encoding: 'utf-8' })).toEqual(Buffer.from(latin1))
    expect(await files.readFile('latin1.txt', { encoding: 'binary' })).toBe('c\xe9\n')
    expect(await files.readFile('latin1.txt', { encoding: 'hex' })).toBe('63e90a')
    expect(await files.readFile('big.bin', { encoding: 'base64' })).toBe(Buffer.from(bytes(2_500_000)).toString('base64'))
    expect(await rejection(files.readFile('bom.txt', { encoding: 'none' }))).toMatchObject({ message: expect.stringContaining('none') })
    const small = over(runtimeOver(FILES), { maxFileBytes: 4 })
    expect(await rejection(small.readFile('a.txt'))).toMatchObject({ code: 'EFBIG', path: 'a.txt' })
  })

  it('lists a directory, with subdirectories, extensions and links', async () => {
    const fs = createMemoryFs({ files: FILES })
    await fs.symlink?.('src', '/link')
    await fs.symlink?.('none', '/broken')
    const files = over(runtimeOver({}, { fs }))
    expect(await files.readdir('.')).toEqual([
      { name: 'a.txt', type: 'file', size: 8 },
      { name: 'broken', type: 'file', isSymlink: true },
      { name: 'link', type: 'directory', isSymlink: true },
      { name: 'p.png', type: 'file', size: 12 },
      { name: 'src', type: 'directory' },
    ])
    const names = async (...given: Parameters<typeof files.readdir>): Promise<string[]> =>
      (await files.readdir(...given)).map(({ name }) => name)
    expect(await names('src', { recursive: true })).toEqual(['b.ts', 'deep', 'deep/c.ts'])
    expect(await names('src', { extension: '' })).toEqual(['b.ts', 'deep'])
    expect(await names('src', { recursive: true, maxDepth: 0 })).toEqual(['b.ts', 'deep'])
    expect(await names('.', { recursive: true, maxDepth: 1, extension: ['ts', '.png'] })).toEqual([
      'link',
      'p.png',
      'src',
      'src/b.ts',
      'src/deep',
    ])
  })

  it('describes files without a call of a tool', async () => {
    const { runtime, asked } = watched(FILES)
    const files = over(runtime)
    const { createdAt, modifiedAt, ...rest } = await files.stat('p.png')
    expect(rest).toEqual({ name: 'p.png', path: 'p.png', type: 'file', size: 12, mimeType: 'image/png' })
    expect([createdAt, modifiedAt]).toEqual([expect.any(Date), modifiedAt])
    expect(await files.stat('a.txt')).not.toHaveProperty('mimeType')
    expect(await Promise.all(['a.txt', 'src', 'none', 'a.txt/x'].map((path) => files.exists(path)))).toEqual([true, true, false, false])
    expect(asked).toEqual([])
  })

  it('asks for approval if a path rule says so', async () => {
    const paths = [{ paths: 'a.txt', action: 'ask' as const }]
    const files = over(runtimeOver(FILES, { policy: { paths, approve: () => true } }))
    expect(await files.stat('a.txt')).toMatchObject({ type: 'file', size: 8, modifiedAt: new Date(0) })
    expect(await files.readFile('a.txt', { encoding: 'utf-8' })).toBe('one\ntwo\n')
    const denied = over(runtimeOver(FILES, { policy: { paths } }))
    expect(await rejection(denied.stat('a.txt'))).toMatchObject({ code: 'approval_required' })
  })
})

describe('changes', () => {
  it('write text and bytes unchanged, through the tools of the runtime', async () => {
    const { runtime, asked } = watched({ 'crlf.txt': '\ufeffa\r\nb\r\n' })
    const files = over(runtime)
    await files.writeFile('crlf.txt', 'a\nb\n')
    await files.writeFile('new/x.bin', bytes(300))
    await files.writeFile('bom.txt', '\ufeffx')
    await files.appendFile('log/a.txt', 'one\n')
    await files.appendFile('log/a.txt', Buffer.from('two\n'))
    expect(await runtime.workspace.files()).toEqual({
      'crlf.txt': 'a\nb\n',
      'new/x.bin': bytes(300),
      'bom.txt': '\ufeffx',
      'log/a.txt': 'one\ntwo\n',
    })
    expect(asked).toEqual(Array.from({ length: 5 }, () => 'write_file'))
  })

  it('keep overwrite, recursive and expectedMtime', async () => {
    const runtime = runtimeOver(FILES)
    const files = over(runtime)
    expect(await rejection(files.writeFile('a.txt', 'x', { overwrite: false }))).toBeInstanceOf(FileExistsError)
    await files.writeFile('n.txt', 'n', { overwrite: false })
    const missing = await rejection(files.writeFile('none/x', 'x', { recursive: false }))
    expect(missing).toBeInstanceOf(DirectoryNotFoundError)
    expect(missing).toMatchObject({ path: 'none' })
    await files.writeFile('src/x', 'x', { recursive: false })
    expect(await rejection(files.writeFile('a.txt/x', 'x', { recursive: false }))).toBeInstanceOf(NotDirectoryError)
    expect((await rejection(files.writeFile('a.txt', 'x', { expectedMtime: new Date(Number.NaN) }))).message).toContain('invalid Date')
    const { modifiedAt } = await files.stat('a.txt')
    expect(await rejection(files.writeFile('a.txt', 'x', { expectedMtime: new Date(modifiedAt.getTime() - 1) }))).toBeInstanceOf(
      StaleFileError,
    )
    await files.writeFile('a.txt', 'new', { expectedMtime: modifiedAt })
    await files.writeFile('first.txt', 'x', { expectedMtime: new Date(0) })
    expect(await runtime.workspace.files()).toMatchObject({ 'a.txt': 'new', 'n.txt': 'n', 'src/x': 'x', 'first.txt': 'x' })
  })

  it('copy and move files and directories', async () => {
    const runtime = runtimeOver(FILES)
    const files = over(runtime)
    await files.copyFile('a.txt', 'copies/a.txt')
    expect(await rejection(files.copyFile('a.txt', 'copies/a.txt', { overwrite: false }))).toMatchObject({
      code: 'EEXIST',
      path: 'copies/a.txt',
    })
    expect(await rejection(files.copyFile('src', 'copies/src'))).toBeInstanceOf(IsDirectoryError)
    await files.copyFile('src', 'copies/src', { recursive: true })
    expect(await rejection(files.copyFile('none', 'x'))).toBeInstanceOf(FileNotFoundError)
    await files.moveFile('src', 'moved')
    expect(await rejection(files.moveFile('a.txt', 'p.png', { overwrite: false }))).toMatchObject({ code: 'EEXIST', path: 'p.png' })
    expect(await rejection(files.moveFile('a.txt', 'a.txt', { overwrite: false }))).toBeInstanceOf(FileExistsError)
    await files.moveFile('a.txt', 'p.png')
    expect(await rejection(files.moveFile('none', 'x'))).toBeInstanceOf(FileNotFoundError)
    expect(await runtime.workspace.files()).toEqual({
      'p.png': 'one\ntwo\n',
      'copies/a.txt': 'one\ntwo\n',
      'copies/src/b.ts': 'const b = 2\n',
      'copies/src/deep/c.ts': 'c',
      'moved/b.ts': 'const b = 2\n',
      'moved/deep/c.ts': 'c',
    })
  })

  it('copy a directory of any depth, and skip existing files without overwrite', async () => {
    const leaf = `${'d/'.repeat(130)}leaf.txt`
    const runtime = runtimeOver({ 's/a': 'new', 's/b': 'new', [`s/${leaf}`]: 'leaf', 't/a': 'old' })
    const files = over(runtime)
    await files.mkdir('s/empty')
    await files.copyFile('s', 't', { recursive: true, overwrite: false })
    expect(await runtime.workspace.files()).toMatchObject({ 't/a': 'old', 't/b': 'new', [`t/${leaf}`]: 'leaf' })
    expect(await files.stat('t/empty')).toMatchObject({ type: 'directory' })
  })

  it('do not copy a directory that contains a link to a directory', async () => {
    const fs = createMemoryFs({ files: FILES })
    await fs.symlink?.('deep', '/src/link')
    const files = over(runtimeOver({}, { fs }))
    expect(await rejection(files.copyFile('src', 't', { recursive: true }))).toMatchObject({ code: 'EISDIR', path: 'src/link' })
    expect(await files.exists('t')).toBe(false)
  })

  it('create no directory for a copy whose writes are denied', async () => {
    const policy = { tools: [{ tools: ['write_file'], action: 'deny' as const }] }
    const files = over(runtimeOver(FILES, { policy }))
    expect(await rejection(files.copyFile('src', 't', { recursive: true }))).toBeInstanceOf(FilesystemError)
    expect(await files.exists('t')).toBe(false)
  })

  it('create and remove directories, and keep force', async () => {
    const runtime = runtimeOver(FILES)
    const files = over(runtime)
    await files.mkdir('x/y')
    await files.mkdir('x/y', { recursive: false })
    expect(await rejection(files.mkdir('none/y', { recursive: false }))).toBeInstanceOf(DirectoryNotFoundError)
    expect(await rejection(files.mkdir('a.txt'))).toBeInstanceOf(FileExistsError)
    expect(await rejection(files.rmdir('src'))).toBeInstanceOf(DirectoryNotEmptyError)
    expect(await rejection(files.rmdir('a.txt'))).toBeInstanceOf(NotDirectoryError)
    expect(await rejection(files.rmdir('none'))).toBeInstanceOf(DirectoryNotFoundError)
    expect(await rejection(files.deleteFile('none'))).toBeInstanceOf(FileNotFoundError)
    expect(await rejection(files.deleteFile('src'))).toBeInstanceOf(IsDirectoryError)
    expect(await rejection(files.rmdir('.', { recursive: true }))).toMatchObject({ code: 'EBUSY' })
    await files.rmdir('none', { force: true })
    await files.deleteFile('none', { force: true })
    await files.rmdir('x/y')
    await files.rmdir('src', { recursive: true })
    await files.deleteFile('a.txt')
    expect((await files.readdir('.')).map(({ name }) => name)).toEqual(['p.png', 'x'])
  })

  it('are rejected for a file that a command has changed since it was read', async () => {
    const runtime = runtimeOver(FILES)
    const files = over(runtime)
    await files.readFile('a.txt')
    await mastraSandbox(runtime).executeCommand('echo three >> a.txt')
    expect(await rejection(files.writeFile('a.txt', 'mine'))).toMatchObject({
      code: 'ESTALE',
      message: expect.stringContaining('Read the file again'),
    })
  })
})

describe('errors', () => {
  it('have the class of Mastra, the text of the runtime, and the path that the model knows', async () => {
    const files = over(runtimeOver(FILES))
    for (const [work, type, code] of [
      [() => files.readFile('none'), FileNotFoundError, 'ENOENT'],
      [() => files.readFile('src'), IsDirectoryError, 'EISDIR'],
      [() => files.stat('none'), FileNotFoundError, 'ENOENT'],
      [() => files.readdir('none'), DirectoryNotFoundError, 'ENOENT'],
      [() => files.readdir('a.txt'), NotDirectoryError, 'ENOTDIR'],
      [() => files.writeFile('src', 'x'), IsDirectoryError, 'EISDIR'],
      [() => files.writeFile('a.txt/x', 'x'), NotDirectoryError, 'ENOTDIR'],
    ] as const) {
      const error = await rejection(work())
      expect(error).toBeInstanceOf(type)
      expect(error).toMatchObject({ code, message: expect.stringMatching(new RegExp(`^${code}: Cannot [\\w ]+ "(?!/)`)) })
    }
  })

  it('name every path as the model knows it, and the path of the step that failed', async () => {
    const files = over(runtimeOver(FILES))
    expect(await rejection(files.moveFile('src', 'a.txt'))).toMatchObject({
      path: 'a.txt',
      message: expect.stringContaining('Cannot move "src" to "a.txt"'),
    })
    expect(await rejection(files.copyFile('a.txt', 'src'))).toMatchObject({ code: 'EISDIR', path: 'src' })
    expect(await rejection(files.copyFile('src', 'p.png', { recursive: true }))).toMatchObject({ code: 'ENOTDIR', path: 'p.png/b.ts' })
    expect((await rejection(files.readFile('/etc/x'))).message).toContain('"/etc/x": it is outside the workspace "."')
  })

  it('report rules, read-only workspaces and denied calls', async () => {
    const policy = { paths: [{ paths: 'src', action: 'deny' as const, reason: 'not yours' }] }
    const files = over(runtimeOver(FILES, { policy }))
    expect(await rejection(files.readFile('src/b.ts'))).toMatchObject({ code: 'EACCES', message: expect.stringContaining('not yours') })
    expect(await rejection(files.stat('src/b.ts'))).toMatchObject({ code: 'EACCES' })
    expect(await rejection(files.mkdir('src/x'))).toMatchObject({ code: 'EACCES' })
    const fixed = over(runtimeOver(FILES, { policy: { readOnly: true } }))
    expect(fixed.readOnly).toBe(true)
    expect(await rejection(fixed.writeFile('x', 'x'))).toMatchObject({ code: 'EROFS' })
    expect(await rejection(fixed.mkdir('x'))).toMatchObject({ code: 'EROFS' })
    const asking = over(runtimeOver(FILES, { policy: { tools: [{ tools: ['write_file'], action: 'ask' }] } }))
    expect(await rejection(asking.writeFile('x', 'x'))).toBeInstanceOf(FilesystemError)
  })

  it('name a missing option, runtime or tool', () => {
    expect(() => mastraFilesystem(undefined as never, { errors, Buffer })).toThrow(/needs a ToolRuntime/)
    expect(() => mastraFilesystem(runtimeOver({}, { tools: [] }), { errors, Buffer })).toThrow('no tool "read_file"')
    expect(() => mastraFilesystem(runtimeOver(), undefined as never)).toThrow('the option "errors": the module @mastra/core/workspace')
    expect(() => mastraFilesystem(runtimeOver(), { errors } as never)).toThrow('the option "Buffer"')
    expect(() => mastraSandbox(runtimeOver({}, { tools: [] }))).toThrow('no tool "bash"')
  })

  it('are the reason of the signal after an abort', async () => {
    const runtime = runtimeOver(FILES)
    const controller = new AbortController()
    const files = over(runtime, { signal: controller.signal })
    runtime.on((event) => {
      if (event.type === 'call_start') controller.abort(new Error('enough'))
    })
    for (const work of [() => files.readFile('a.txt'), () => files.writeFile('x', 'x'), () => files.mkdir('d'), () => files.stat('a.txt')])
      expect((await rejection(work())).message).toBe('enough')
    expect(await Promise.all(['x', 'd'].map((path) => runtime.workspace.exists(path)))).toEqual([false, false])
  })

  it('stop a copy that only creates directories', async () => {
    const runtime = runtimeOver()
    const controller = new AbortController()
    const files = over(runtime, { signal: controller.signal })
    for (const name of ['a', 'b']) await files.mkdir(`s/${name}`)
    let listed = 0
    runtime.on((event) => {
      if (event.type === 'call_end' && ++listed === 3) controller.abort(new Error('enough'))
    })
    expect((await rejection(files.copyFile('s', 't', { recursive: true }))).message).toBe('enough')
    expect(await runtime.workspace.exists('t')).toBe(false)
  })
})

describe('the sandbox', () => {
  it('runs a command with arguments, variables and a directory, and streams its output', async () => {
    const sandbox = mastraSandbox(runtimeOver(FILES))
    const pieces: string[] = []
    const onStdout = (data: string): number => pieces.push(data)
    const onStderr = (data: string): number => pieces.push(`! ${data}`)
    const env = { GREETING: 'hello', NONE: undefined }
    const options = { env, cwd: 'src', onStdout, onStderr }
    const result = await sandbox.executeCommand('echo "$GREETING" "$PWD"; echo oops >&2; printf "%s\\n"', ["it's $HOME", 'a b'], options)
    expect(result).toEqual({
      success: true,
      exitCode: 0,
      stdout: "hello /workspace/src\nit's $HOME\na b\n",
      stderr: 'oops\n',
      executionTimeMs: expect.any(Number),
      timedOut: false,
      killed: false,
    })
    expect(pieces.filter((piece) => !piece.startsWith('!')).join('')).toBe(result.stdout)
    expect(pieces.filter((piece) => piece.startsWith('!'))).toEqual(['! oops\n'])
    expect(await sandbox.executeCommand('cd src; exit 3')).toMatchObject({ success: false, exitCode: 3 })
    expect((await sandbox.executeCommand('pwd')).stdout).toBe('/workspace\n')
    expect(sandbox.getInstructions()).toContain('Commands start in /workspace')
    expect(await sandbox.snapshot()).toBeUndefined()
  })

  it('ends a command at its timeout and at an abort, and keeps the output so far', async () => {
    const sandbox = mastraSandbox(runtimeOver())
    const late = await sandbox.executeCommand('echo up; sleep 600', [], { timeout: 300 })
    expect(late).toMatchObject({ success: false, exitCode: 124, timedOut: true, killed: false })
    expect(late.stderr).toContain('timed out')
    const controller = new AbortController()
    const options = { abortSignal: controller.signal, onStdout: () => controller.abort(new Error('enough')) }
    const stopped = await sandbox.executeCommand('echo up; sleep 600', [], options)
    expect(stopped).toMatchObject({ success: false, exitCode: 128, stdout: 'up\n', timedOut: false, killed: true })
    expect((await rejection(sandbox.executeCommand('ls', [], options))).message).toBe('enough')
  })

  it('has no timeout for 0, and ignores rejections of listeners', async () => {
    const sandbox = mastraSandbox(runtimeOver())
    const onStdout = () => Promise.reject(new Error('listener'))
    expect(await sandbox.executeCommand('sleep 0.1; echo done', [], { timeout: 0, onStdout })).toMatchObject({ stdout: 'done\n' })
  })

  it('rejects a denied command with its reason', async () => {
    const runtime = runtimeOver({}, { policy: { commands: () => ({ action: 'deny', reason: 'no commands' }) } })
    expect((await rejection(mastraSandbox(runtime).executeCommand('ls'))).message).toContain('no commands')
  })
})
