// @module-tag drop-ins
import { ToolCallError } from 'toolport'
import { type AiSdkSandbox, aiSdkSandbox } from 'toolport/formats'
import { describe, expect, it } from 'vitest'
import { withGrowingTime } from '../../contract/shell/case.js'
import { bytes, type Files, rejection, runtimeOver, watched, withLinkOut } from './support.js'

const sandboxOver = (files: Files = {}): AiSdkSandbox => aiSdkSandbox(runtimeOver(files))

const streamOf = (...pieces: Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })

const read = async (stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array> =>
  new Uint8Array(await new Response(stream).arrayBuffer())
/** Reads a stream to its end. Fails with the stream's own error, which a browser's `Response` would replace by a fetch error. */
async function drain(stream: ReadableStream<Uint8Array> | null): Promise<void> {
  const reader = stream?.getReader()
  while ((await reader?.read())?.done === false);
}
const text = async (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text()
const encode = (words: string): Uint8Array => new TextEncoder().encode(words)

describe('aiSdkSandbox: files', () => {
  it('reads and writes text, bytes and streams', async () => {
    const runtime = runtimeOver()
    const sandbox = aiSdkSandbox(runtime)
    await sandbox.writeTextFile({ path: 'src/a.txt', content: 'naïve 🙂\n' })
    await sandbox.writeBinaryFile({ path: '/workspace/b.bin', content: bytes(1000) })
    await sandbox.writeFile({ path: 'c/d.bin', content: streamOf(bytes(10), new Uint8Array(), bytes(20)) })
    expect(await sandbox.readTextFile({ path: 'src/a.txt' })).toBe('naïve 🙂\n')
    expect(await sandbox.readBinaryFile({ path: 'b.bin' })).toEqual(bytes(1000))
    expect(await read(await sandbox.readFile({ path: 'c/d.bin' }))).toEqual(Uint8Array.from([...bytes(10), ...bytes(20)]))
    await sandbox.writeFile({ path: 'empty', content: streamOf() })
    expect(await sandbox.readBinaryFile({ path: 'empty' })).toEqual(new Uint8Array())
    expect(await read(await sandbox.readFile({ path: 'empty' }))).toEqual(new Uint8Array())
    expect(Object.keys(await runtime.workspace.files())).toEqual(['b.bin', 'c/d.bin', 'empty', 'src/a.txt'])
  })

  it('transfers megabytes page by page', async () => {
    const { runtime, asked } = watched({ 'big.bin': bytes(3 * 1024 * 1024 + 5) })
    const sandbox = aiSdkSandbox(runtime)
    const stream = await sandbox.readFile({ path: 'big.bin' })
    expect(asked).toEqual(['read_file'])
    expect((await read(stream)).length).toBe(3 * 1024 * 1024 + 5)
    const whole = await sandbox.readBinaryFile({ path: 'big.bin' })
    await sandbox.writeBinaryFile({ path: 'copy.bin', content: whole ?? new Uint8Array() })
    const { stdout } = await sandbox.run({ command: 'cmp big.bin copy.bin && echo same' })
    expect(stdout).toBe('same\n')
  })

  it('fails if the file changes while it is streamed', async () => {
    const runtime = runtimeOver({ 'big.bin': bytes(2 * 1024 * 1024) })
    const stream = await aiSdkSandbox(runtime).readFile({ path: 'big.bin' })
    await runtime.workspace.writeBytes('big.bin', bytes(1024 * 1024 + 1))
    expect((await rejection(drain(stream))).message).toContain('changed while it was read')
  })

  it('returns lines as counted by the SDK', async () => {
    const sandbox = sandboxOver({ lf: 'a\nb\nc\n', crlf: 'a\r\nb\r\nc' })
    const lines = (path: string, startLine?: number, endLine?: number) => sandbox.readTextFile({ path, startLine, endLine })
    expect(await lines('lf', 2, 3)).toBe('b\nc')
    expect(await lines('lf', 2)).toBe('b\nc\n')
    expect(await lines('lf', undefined, 1)).toBe('a')
    expect(await lines('crlf', 2, 99)).toBe('b\r\nc')
    expect(await lines('lf', 99)).toBe('')
  })

  it.each(['utf-8', 'UTF8', 'utf-16le', 'latin1', 'ascii', 'base64'])('writes and reads %s', async (encoding) => {
    const content = { latin1: 'na\u00efve\u0080', ascii: 'plain', base64: 'AAEC/w==' }[encoding] ?? '\uFEFFnaïve 🙂'
    const sandbox = sandboxOver()
    await sandbox.writeTextFile({ path: 'a', content, encoding })
    expect(await sandbox.readTextFile({ path: 'a', encoding })).toBe(content)
  })

  it('rejects unsupported encodings and text that does not fit an encoding', async () => {
    const runtime = runtimeOver({ a: 'a' })
    const sandbox = aiSdkSandbox(runtime)
    expect((await rejection(sandbox.readTextFile({ path: 'a', encoding: 'ebcdic' }))).message).toMatch(
      /^Unknown encoding "ebcdic": use one of utf-8, /,
    )
    for (const [encoding, content] of [
      ['ascii', 'ï'],
      ['latin1', '🙂'],
      ['base64', '*'],
      ['utf-8', '\ud800'],
      ['__proto__', 'a'],
    ] as const)
      expect(await rejection(sandbox.writeTextFile({ path: 'a', content, encoding }))).toMatchObject({ code: 'invalid_input' })
    expect(await runtime.workspace.files()).toEqual({ a: 'a' })
  })

  it('returns null or false for missing files', async () => {
    const sandbox = sandboxOver({ 'a.txt': 'a' })
    for (const path of ['none', 'none/deeper', 'a.txt/below']) {
      expect(await sandbox.readFile({ path }), path).toBeNull()
      expect(await sandbox.readBinaryFile({ path }), path).toBeNull()
      expect(await sandbox.readTextFile({ path }), path).toBeNull()
      expect(await sandbox.stat({ path }), path).toBeNull()
      expect(await sandbox.listDirectory({ path }), path).toBeNull()
      expect(await sandbox.deleteFile({ path }), path).toBe(false)
    }
  })

  it('returns stats of files, directories and links', async () => {
    const runtime = runtimeOver({ 'a.txt': 'abc', 'd/.hidden': '', 'd/x.txt': '', '.gitignore': 'd\n' })
    await runtime.workspace.symlink('d', 'to-d')
    await runtime.workspace.symlink('none', 'dangling')
    const sandbox = aiSdkSandbox(runtime)
    expect(await sandbox.stat({ path: 'a.txt' })).toEqual({ type: 'file', size: 3 })
    expect(await sandbox.stat({ path: 'to-d' })).toEqual({ type: 'directory', size: 0 })
    expect(await sandbox.stat({ path: '.' })).toEqual({ type: 'directory', size: 0 })
    expect(await sandbox.stat({ path: 'dangling' })).toBeNull()
    expect(await sandbox.listDirectory({ path: '.' })).toEqual([
      { name: '.gitignore', type: 'file' },
      { name: 'a.txt', type: 'file' },
      { name: 'd', type: 'directory' },
      { name: 'dangling', type: 'symlink' },
      { name: 'to-d', type: 'symlink' },
    ])
    expect(await sandbox.listDirectory({ path: 'd' })).toEqual([
      { name: '.hidden', type: 'file' },
      { name: 'x.txt', type: 'file' },
    ])
    expect(await rejection(sandbox.listDirectory({ path: 'a.txt' }))).toMatchObject({ result: { output: { code: 'ENOTDIR' } } })
  })

  it('lists directories with more entries than one page', async () => {
    const files = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`d/${i}`, '']))
    expect(await sandboxOver(files).listDirectory({ path: 'd' })).toHaveLength(10_001)
  })

  it('deletes files and links, but no directories', async () => {
    const runtime = runtimeOver({ 'a.txt': 'a', 'd/x': '' })
    await runtime.workspace.symlink('d', 'to-d')
    await runtime.workspace.mkdir('empty')
    const sandbox = aiSdkSandbox(runtime)
    expect(await sandbox.deleteFile({ path: 'a.txt' })).toBe(true)
    expect(await sandbox.deleteFile({ path: 'to-d' })).toBe(true)
    for (const path of ['d', 'empty', '.']) expect(await rejection(sandbox.deleteFile({ path }))).toMatchObject({ code: 'EISDIR' })
    expect(await runtime.workspace.files()).toEqual({ 'd/x': '' })
    expect(await runtime.workspace.exists('empty')).toBe(true)
  })

  it('overwrites a file that a command changed, but not a directory', async () => {
    const sandbox = sandboxOver({ 'a.txt': 'a\n', 'd/x': '' })
    await sandbox.readTextFile({ path: 'a.txt' })
    await sandbox.run({ command: 'echo b >> a.txt' })
    await sandbox.writeTextFile({ path: 'a.txt', content: 'c\n' })
    expect(await sandbox.readTextFile({ path: 'a.txt' })).toBe('c\n')
    expect(await rejection(sandbox.writeTextFile({ path: 'd', content: '' }))).toMatchObject({ result: { output: { code: 'EISDIR' } } })
  })

  it.each(['../up.txt', '/etc/passwd', 'a/../../up', 'C:\\a', 'a\0b'])('rejects the path %j in every method', async (path) => {
    const runtime = runtimeOver({ 'a.txt': 'a' })
    const sandbox = aiSdkSandbox(runtime)
    for (const work of [
      sandbox.readFile({ path }),
      sandbox.readTextFile({ path }),
      sandbox.writeTextFile({ path, content: 'x' }),
      sandbox.writeFile({ path, content: streamOf(bytes(3)) }),
      sandbox.stat({ path }),
      sandbox.listDirectory({ path }),
      sandbox.deleteFile({ path }),
      sandbox.run({ command: 'echo x', workingDirectory: path }),
    ])
      expect(await rejection(work)).toBeInstanceOf(Error)
    expect(await runtime.workspace.files()).toEqual({ 'a.txt': 'a' })
  })

  it('rejects links that lead outside', async () => {
    const sandbox = aiSdkSandbox(await withLinkOut())
    for (const work of [
      sandbox.readTextFile({ path: 'out/passwd' }),
      sandbox.writeTextFile({ path: 'out/passwd', content: 'x' }),
      sandbox.stat({ path: 'out' }),
      sandbox.listDirectory({ path: 'out' }),
    ])
      expect(await rejection(work)).toMatchObject({ result: { output: { code: 'symlink_escape' } } })
    expect(await sandbox.deleteFile({ path: 'out' })).toBe(true)
  })

  it('applies tool rules, path rules, approval and read-only mode', async () => {
    const approved: string[] = []
    const runtime = runtimeOver(
      { 'a.txt': 'a', 'secret/k.txt': 'k', 'asked/x.txt': 'x' },
      {
        policy: {
          tools: [{ tools: 'delete_file', action: 'deny', reason: 'nothing is deleted here' }],
          paths: [
            { paths: 'secret', action: 'deny' },
            { paths: 'asked', action: 'ask' },
          ],
          approve: ({ path, tool }) => approved.push(`${tool} ${path}`) > 0,
        },
      },
    )
    const sandbox = aiSdkSandbox(runtime)
    expect((await rejection(sandbox.deleteFile({ path: 'a.txt' }))).message).toContain('nothing is deleted here')
    expect(await rejection(sandbox.readTextFile({ path: 'secret/k.txt' }))).toBeInstanceOf(ToolCallError)
    expect(await sandbox.readTextFile({ path: 'asked/x.txt' })).toBe('x')
    await sandbox.writeTextFile({ path: 'asked/x.txt', content: 'y' })
    expect(approved).toContain('read_file /workspace/asked/x.txt')
    expect(approved).toContain('write_file /workspace/asked/x.txt')
    const locked = aiSdkSandbox(runtimeOver({ 'a.txt': 'a' }, { policy: { readOnly: true } }))
    expect((await rejection(locked.writeTextFile({ path: 'a.txt', content: 'b' }))).message).toMatch(/read-only/)
    expect(locked.description).toContain('Nothing can be written.')
  })

  it('limits file sizes to maxFileBytes', async () => {
    const runtime = runtimeOver({ 'big.bin': bytes(101) })
    const sandbox = aiSdkSandbox(runtime, { maxFileBytes: 100 })
    expect(await rejection(sandbox.readBinaryFile({ path: 'big.bin' }))).toMatchObject({ code: 'EFBIG' })
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes(60)),
      cancel: () => {
        cancelled = true
      },
    })
    expect(await rejection(sandbox.writeFile({ path: 'new.bin', content: endless }))).toMatchObject({ code: 'EFBIG' })
    expect(cancelled).toBe(true)
    expect(await runtime.workspace.exists('new.bin')).toBe(false)
    expect((await read(await sandbox.readFile({ path: 'big.bin' }))).length).toBe(101)
  })

  it('writes nothing of a failed or aborted stream', async () => {
    const runtime = runtimeOver({ 'a.txt': 'a' })
    const sandbox = aiSdkSandbox(runtime)
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes(3))
      },
      pull() {
        throw new Error('broken pipe')
      },
    })
    expect((await rejection(sandbox.writeFile({ path: 'a.txt', content: broken }))).message).toBe('broken pipe')
    const controller = new AbortController()
    const reason = new Error('enough')
    const silent = new ReadableStream<Uint8Array>({ pull: () => void controller.abort(reason) })
    expect(await rejection(sandbox.writeFile({ path: 'a.txt', content: silent, abortSignal: controller.signal }))).toBe(reason)
    expect(await rejection(sandbox.readTextFile({ path: 'a.txt', abortSignal: controller.signal }))).toBe(reason)
    expect(await runtime.workspace.files()).toEqual({ 'a.txt': 'a' })
  })
})

describe('aiSdkSandbox: commands', () => {
  it('runs each command in a new shell, in the given directory', async () => {
    const sandbox = sandboxOver({ 'sub/a.txt': 'a\n' })
    const first = await sandbox.run({ command: 'cd sub; export X=1; cat a.txt; echo e >&2; exit 3' })
    expect(first).toEqual({ exitCode: 3, stdout: 'a\n', stderr: 'e\n' })
    expect(await sandbox.run({ command: 'pwd; echo "<$X$Y>"', env: { Y: '2' } })).toEqual({
      exitCode: 0,
      stdout: '/workspace\n<2>\n',
      stderr: '',
    })
    expect(await sandbox.run({ command: 'pwd; echo "<$Y>"', workingDirectory: 'sub' })).toMatchObject({ stdout: '/workspace/sub\n<>\n' })
    expect(sandbox.description).toContain('/workspace')
    expect(aiSdkSandbox(runtimeOver(), { description: 'Mine.' }).description).toBe('Mine.')
  })

  it('keeps concurrent commands separate', async () => {
    const sandbox = sandboxOver()
    const runs = Array.from({ length: 20 }, (_, i) => sandbox.run({ command: 'cd /tmp; echo $N', env: { N: String(i) } }))
    expect((await Promise.all(runs)).map(({ stdout }) => stdout)).toEqual(Array.from({ length: 20 }, (_, i) => `${i}\n`))
  })

  it('rejects for a denied or aborted command', async () => {
    const runtime = runtimeOver({}, { policy: { commands: () => ({ action: 'deny', reason: 'no commands' }) } })
    expect((await rejection(aiSdkSandbox(runtime).run({ command: 'ls' }))).message).toContain('no commands')
    expect((await rejection(aiSdkSandbox(runtime).spawn({ command: 'ls' }))).message).toContain('no commands')
    const controller = new AbortController()
    const reason = new Error('enough')
    const other = runtimeOver()
    other.on((event) => {
      if (event.type === 'progress') controller.abort(reason)
    })
    const running = aiSdkSandbox(other).run({ command: 'echo started; sleep 600; echo x > late', abortSignal: controller.signal })
    expect(await rejection(running)).toBe(reason)
    expect(await other.workspace.files()).toEqual({})
  })

  it('returns the output of a command up to its deadline', async () => {
    const result = await withGrowingTime(
      (deadlineMs) => aiSdkSandbox(runtimeOver({}, { limits: { deadlineMs } })).run({ command: 'echo early; sleep 600' }),
      ({ stdout }) => stdout !== '',
    )
    expect(result).toEqual({
      exitCode: 124,
      stdout: 'early\n',
      stderr: '[timed out: the runtime ended the command]\n',
    })
  })

  it('truncates a long output with a note', async () => {
    const { stdout } = await sandboxOver().run({ command: 'seq 1 200000' })
    expect(stdout.length).toBeLessThan(300_000)
    expect(stdout).toContain('bytes left out')
  })
})

describe('aiSdkSandbox: processes', () => {
  it('streams the output of a process and waits for its end', async () => {
    const sandbox = sandboxOver({ 'sub/a.txt': 'a\n' })
    const child = await sandbox.spawn({ command: 'pwd; echo $X; echo err >&2; exit 4', workingDirectory: 'sub', env: { X: 'naïve' } })
    expect('stdin' in child).toBe(false)
    expect(await Promise.all([text(child.stdout), text(child.stderr), child.wait()])).toEqual([
      '/workspace/sub\nnaïve\n',
      'err\n',
      { exitCode: 4 },
    ])
    expect(await child.wait()).toEqual({ exitCode: 4 })
    await child.kill()
  })

  it('closes an input that was not requested', async () => {
    const child = await sandboxOver().spawn({ command: 'cat; echo done' })
    expect(await text(child.stdout)).toBe('done\n')
  })

  it('writes to a process until its input is closed', async () => {
    const sandbox = sandboxOver()
    const child = await sandbox.spawn({ command: 'while read line; do echo "got $line"; done; echo end', stdin: true })
    const reader = child.stdout.getReader()
    const writer = child.stdin.getWriter()
    // The pieces split a character.
    const line = encode('naïve\n')
    await writer.write(line.slice(0, 3))
    await writer.write(line.slice(3))
    let seen = ''
    while (!seen.includes('\n')) seen += new TextDecoder().decode((await reader.read()).value)
    expect(seen).toBe('got naïve\n')
    await writer.close()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      seen += new TextDecoder().decode(value)
    }
    expect(seen).toBe('got naïve\nend\n')
    expect(await child.wait()).toEqual({ exitCode: 0 })
  })

  it('writes through the write tool and its policy', async () => {
    const runtime = runtimeOver(
      {},
      { policy: { tools: [{ tools: 'write_background_bash', action: 'deny', reason: 'nobody types here' }] } },
    )
    const child = await aiSdkSandbox(runtime).spawn({ command: 'cat', stdin: true })
    expect((await rejection(child.stdin.getWriter().write(encode('x')))).message).toContain('nobody types here')
    await child.kill()
    const binary = await sandboxOver().spawn({ command: 'cat', stdin: true })
    expect((await rejection(binary.stdin.getWriter().write(Uint8Array.from([0xff])))).message).toContain('UTF-8')
    await binary.kill()
  })

  it('kills a process, also repeatedly', async () => {
    const child = await sandboxOver().spawn({ command: 'echo up; sleep 600' })
    const reader = child.stdout.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('up\n')
    await Promise.all([child.kill(), child.kill()])
    await child.kill()
    expect((await reader.read()).done).toBe(true)
    expect((await child.wait()).exitCode).toBeGreaterThan(128)
  })

  it('ends a process on abort, and wait() rejects with the reason', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const sandbox = sandboxOver()
    const child = await sandbox.spawn({ command: 'echo up; sleep 600', abortSignal: controller.signal })
    const reader = child.stdout.getReader()
    await reader.read()
    controller.abort(reason)
    expect(await rejection(child.wait())).toBe(reason)
    expect((await reader.read()).done).toBe(true)
    expect(await rejection(sandbox.spawn({ command: 'echo x', abortSignal: controller.signal }))).toBe(reason)
  })

  it('loses nothing of megabytes that are read, and reports unread output', async () => {
    const sandbox = sandboxOver()
    const child = await sandbox.spawn({ command: 'seq 1 200000' })
    const all = await text(child.stdout)
    expect(all.length).toBe(1_288_895)
    expect(all.endsWith('\n200000\n')).toBe(true)
    const ignored = await sandbox.spawn({ command: 'seq 1 200000 >&2' })
    await ignored.stderr.cancel()
    expect(await ignored.wait()).toEqual({ exitCode: 0 })
  })

  it('ends processes with the runtime', async () => {
    const runtime = runtimeOver()
    const child = await aiSdkSandbox(runtime).spawn({ command: 'sleep 600' })
    await runtime.dispose()
    expect(await text(child.stdout)).toBe('')
  })

  it('names a missing tool of the runtime at once', async () => {
    expect(() => aiSdkSandbox(runtimeOver({}, { tools: [] }))).toThrow('Cannot offer "sandbox": the runtime has no tool "read_file"')
  })
})
