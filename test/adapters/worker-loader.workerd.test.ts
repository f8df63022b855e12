// @module-tag worker-loader
import { systemHost } from 'toolport'
import { createWorkerLoaderJs } from 'toolport/adapters/cloudflare'
import { createTestWorkspace } from 'toolport/testing'
import { expect, it } from 'vitest'
import { withGrowingTime } from '../contract/shell/case.js'
import { expectNothingOverwritten } from './js-conflict.js'
import { loader, made } from './worker-loader-support.workerd.js'

const FALLBACK = { timeoutMs: 60_000 }

it('`can` describes the adapter', async () => {
  const { js } = await made()
  expect([js.name, js.can]).toEqual(['worker-loader', { hardKill: false, memoryCap: false, nodeApi: false, isolated: true }])
})

it('fetch in a program goes through the granted adapter only', async () => {
  const asked: unknown[] = []
  const fetch = {
    name: 'fake',
    async fetch({ url, method, body }: { url: string; method?: string; body?: unknown }) {
      asked.push([url, method, body instanceof Uint8Array ? new TextDecoder().decode(body) : body])
      return new Response('{"a":1}', { status: 201, headers: { 'x-y': 'z' } })
    },
  }
  const { js } = await made()
  const code =
    'const r = await fetch("https://host.example/x", { method: "POST", body: "b" }); console.log(r.ok, r.status, r.headers.get("X-Y"), await r.json())'
  expect(await js.run({ code, grants: { fetch }, ...FALLBACK })).toMatchObject({ stderr: '', stdout: 'true 201 z { a: 1 }\n' })
  expect(asked).toEqual([['https://host.example/x', 'POST', 'b']])
})

it('a program calls granted tools and can catch their errors', async () => {
  const { js } = await made()
  const invokeTool = async (tool: string, input: unknown) => {
    if (tool === 'bad') throw Object.assign(new Error('refused'), { code: 'denied' })
    return { tool, input }
  }
  const code =
    'console.log(await invokeTool("echo", { a: [1] })); try { await invokeTool("bad") } catch (e) { console.log(e.message, e.code) }'
  expect((await js.run({ code, grants: { invokeTool }, ...FALLBACK })).stdout).toBe(
    "{ tool: 'echo', input: { a: [ 1 ] } }\nrefused denied\n",
  )
})

it('grants restrict files to nothing or to reading', async () => {
  const { js, workspace } = await made({ 'a.txt': 'a' })
  const read = 'import fs from "node:fs"; try { console.log(fs.readFileSync("a.txt", "utf8")) } catch (e) { console.log(e.code) }'
  expect((await js.run({ code: read, grants: { fs: 'none' }, ...FALLBACK })).stdout).toBe('ERR_ACCESS_DENIED\n')
  expect((await js.run({ code: read, grants: { fs: 'read' }, ...FALLBACK })).stdout).toBe('a\n')
  const write = 'import fs from "node:fs"; try { fs.writeFileSync("a.txt", "b") } catch (e) { console.log(e.code) }'
  expect((await js.run({ code: write, grants: { fs: 'read' }, ...FALLBACK })).stdout).toBe('EROFS\n')
  expect((await workspace.readText('a.txt')).text).toBe('a')
})

it('20 concurrent programs keep their outputs separate', async () => {
  const { js } = await made()
  const run = (n: number) =>
    js.run({ code: `for (let i = 0; i < 20; i++) { console.log(${n}, i); await new Promise((r) => setTimeout(r, 1)) }`, ...FALLBACK })
  const all = await Promise.all(Array.from({ length: 20 }, (_, n) => run(n)))
  all.forEach(({ stdout }, n) => {
    expect(stdout).toBe(Array.from({ length: 20 }, (_, i) => `${n} ${i}\n`).join(''))
  })
})

it('a flood of output arrives in order, and the result keeps its head and tail', async () => {
  const { js } = await made()
  let [length, last] = [0, '']
  const { stdout, truncated, exitCode } = await js.run({
    code: 'for (let i = 0; i < 200000; i++) console.log("line " + i); console.error("end")',
    maxBytes: 1000,
    onOutput({ stream, text }) {
      if (stream === 'stdout') [length, last] = [length + text.length, text]
    },
    ...FALLBACK,
  })
  expect([truncated, exitCode]).toEqual([true, 0])
  expect(stdout).toMatch(/^line 0\n/)
  expect(stdout).toMatch(/line 199999\n$/)
  expect(last).toMatch(/line 199999\n$/)
  expect(length).toBe(Array.from({ length: 200_000 }, (_, i) => `line ${i}\n`).join('').length)
})

it('output is streamed while the program runs', async () => {
  const { js } = await made()
  let heard = ''
  const process = await js.spawn?.({
    code: 'process.stdin.on("data", (text) => { console.log("got", String(text)); process.stdin.pause() })',
    onOutput: ({ text }) => {
      heard += text
    },
  })
  await process?.write('a line')
  expect(await process?.exited).toEqual({ exitCode: 0 })
  expect(heard).toBe('got a line\n')
})

it('a spawned program reads input until it is closed', async () => {
  const { js } = await made()
  let heard = ''
  const process = await js.spawn?.({
    code: 'let n = 0; for await (const chunk of process.stdin) n += chunk.length; console.log(n)',
    onOutput: ({ text }) => {
      heard += text
    },
  })
  await process?.write('12345')
  await process?.write('678')
  await process?.closeInput?.()
  expect(await process?.exited).toEqual({ exitCode: 0 })
  expect(heard).toBe('8\n')
  await expect(process?.write('more')).rejects.toThrow('The program has ended')
})

it('a signal ends a spawned program, which may handle it', async () => {
  const { js } = await made()
  const begun = async (code: string) => {
    let [heard, tell] = ['', (): void => {}]
    const first = new Promise<void>((resolve) => {
      tell = resolve
    })
    const process = await js.spawn?.({
      code,
      onOutput: ({ text }) => {
        heard += text
        tell()
      },
    })
    await first
    return { process, heard: () => heard }
  }
  const waits = 'console.log("begun"); setInterval(() => {}, 1000)'
  const plain = await begun(waits)
  await plain.process?.kill('SIGTERM')
  expect(await plain.process?.exited).toEqual({ exitCode: 143, signal: 'SIGTERM' })
  const killed = await begun(waits)
  await killed.process?.kill('SIGKILL')
  expect(await killed.process?.exited).toEqual({ exitCode: 137, signal: 'SIGKILL' })
  const hears = await begun(`process.on("SIGINT", () => { console.log("heard"); process.exit(7) }); ${waits}`)
  await hears.process?.kill('SIGINT')
  expect(await hears.process?.exited).toEqual({ exitCode: 7 })
  expect(hears.heard()).toBe('begun\nheard\n')
})

it('a program is ended at its timeout, and its changes are not written', async () => {
  const { js, workspace } = await made()
  const code = 'import fs from "node:fs"; fs.writeFileSync("x", "x"); console.log("begun"); setInterval(() => {}, 1000)'
  const { timedOut, exitCode, stdout } = await withGrowingTime(
    (timeoutMs) => js.run({ code, timeoutMs }),
    (result) => result.stdout !== '',
  )
  expect({ timedOut, exitCode, stdout }).toEqual({ timedOut: true, exitCode: null, stdout: 'begun\n' })
  expect(await workspace.exists('x')).toBe(false)
})

it('no program starts after an abort or close()', async () => {
  const { js } = await made()
  expect(await js.run({ code: 'console.log(1)', signal: AbortSignal.abort() })).toMatchObject({ aborted: true, exitCode: null, stdout: '' })
  const running = js.run({ code: 'setInterval(() => {}, 1000)' })
  await js.close?.()
  expect((await running.catch((error: unknown) => ({ aborted: String(error) }))).aborted).toBeTruthy()
  await expect(js.run({ code: '' })).rejects.toThrow('the adapter is closed')
})

it('a program aborted while files are read does not start', async () => {
  const controller = new AbortController()
  const host = {
    ...systemHost,
    // Called after all files have been read.
    random() {
      controller.abort()
      return 0.5
    },
  }
  const { js } = await made({}, {}, { host })
  const called: string[] = []
  const invokeTool = async (name: string) => void called.push(name)
  const run = { code: 'await invokeTool("x"); setInterval(() => {}, 1000)', grants: { invokeTool } }
  expect(await js.run({ ...run, signal: controller.signal })).toMatchObject({ aborted: true, exitCode: null })
  // If the Worker had started, it would have called the tool before this program ends.
  await made().then((other) => other.js.run({ code: '', ...FALLBACK }))
  expect(called).toEqual([])
})

it('no concurrent change is overwritten, and all other files are written', async () => {
  const { js, workspace } = await made()
  await expectNothingOverwritten(js, workspace)
})

it('files larger than one message can be read and written', async () => {
  const { js, workspace } = await made()
  const bytes = new Uint8Array(12 * 2 ** 20).map((_, at) => at % 251)
  await workspace.writeBytes('big.bin', bytes)
  const code = 'import fs from "node:fs"; const b = fs.readFileSync("big.bin"); fs.writeFileSync("copy.bin", b); console.log(b.length)'
  expect(await js.run({ code, ...FALLBACK })).toMatchObject({ stderr: '', stdout: `${bytes.length}\n` })
  const copy = (await workspace.readBytes('copy.bin', { length: bytes.length })).bytes
  expect(copy.length).toBe(bytes.length)
  expect(copy.every((byte, at) => byte === at % 251)).toBe(true)
})

it('a default export above the limit is reported, and files are still written', async () => {
  const { js, workspace } = await made()
  const code = 'import fs from "node:fs"; fs.writeFileSync("x", "x"); export default "ä".repeat(16_000_000)'
  const { result, ...rest } = await js.run({ code, ...FALLBACK })
  expect(typeof result).toBe('undefined')
  expect(rest).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/^The default export is not handed over: it has 16000002 characters/),
  })
  expect(await workspace.exists('x')).toBe(true)
  const longest = await js.run({ code: 'export default "ä".repeat(15_999_998)', ...FALLBACK })
  expect([String(longest.result).length, longest.stderr]).toEqual([15_999_998, ''])
})

it('dynamic imports of computed names work outside node_modules', async () => {
  const { js } = await made({
    'plugins/one.mjs': 'export default 1',
    'plugins/two.ts': 'export default 2 as number',
    'bad.mjs': 'const = 1',
  })
  const code = `for (const name of ['one.mjs', 'two.ts', 'none.mjs']) {
    try { console.log((await import('./plugins/' + name)).default) } catch (e) { console.log(e.code) }
  }`
  expect(await js.run({ code, ...FALLBACK })).toMatchObject({ exitCode: 0, stdout: '1\n2\nERR_MODULE_NOT_FOUND\n' })
})

it('importing a file created during the run fails with a hint', async () => {
  const { js } = await made()
  const code = `import fs from 'node:fs'; await fs.promises.writeFile('late.mjs', ''); fs.writeFileSync('late.mjs', 'export default 1')
    try { await import('./late' + '.mjs') } catch (e) { console.log(e.code) }`
  expect((await js.run({ code, ...FALLBACK })).stdout).toBe('ERR_MODULE_NOT_FOUND\n')
})

it('an equal host gives the same output, and its clock sets the start time', async () => {
  const code = `import { randomUUID } from "node:crypto"
    console.log(Math.random(), randomUUID(), crypto.getRandomValues(new Uint8Array(4)), new Date().toISOString().slice(0, 16), Date.now() < 4e12)`
  const run = async () => {
    const { workspace } = createTestWorkspace()
    return (await createWorkerLoaderJs({ loader })(workspace).run({ code, ...FALLBACK })).stdout
  }
  const [first, second] = [await run(), await run()]
  expect(first).toBe(second)
  expect(first).toContain(new Date(createTestWorkspace().workspace.host.now()).toISOString().slice(0, 16))
})

it('stack traces contain workspace files and lines', async () => {
  const { js } = await made({
    'lib/deep.mjs': '\n\nexport const fail = () => { throw new Error("deep") }',
    'c.cjs': '\nthrow new Error("common")',
  })
  const { stderr } = await js.run({ code: 'import { fail } from "./lib/deep.mjs"\n\nfail()', ...FALLBACK })
  expect(stderr).toMatch(
    /Error: deep\n {4}at (?:Module\.)?fail \(file:\/\/\/workspace\/lib\/deep\.mjs:3:35\)\n {4}at file:\/\/\/workspace\/\[eval\]\.mjs:3:1\n/,
  )
  expect(stderr).not.toContain('bundle')
  expect((await js.run({ entry: 'c.cjs', ...FALLBACK })).stderr).toContain('/workspace/c.cjs:2:7')
})

it('files with special characters in their names run', async () => {
  const { js } = await made({
    'a b%20é#?.mjs': 'import { x } from "./ü \' x.mjs"; console.log(x, import.meta.filename)',
    "ü ' x.mjs": 'export const x = 1',
  })
  expect(await js.run({ entry: 'a b%20é#?.mjs', ...FALLBACK })).toMatchObject({ stderr: '', stdout: '1 /workspace/a b%20é#?.mjs\n' })
})

it('harmless platform modules can be imported', async () => {
  const { js } = await made()
  const code = `import zlib, { gunzipSync, gzipSync } from 'node:zlib'; import { AsyncLocalStorage } from 'node:async_hooks'
    import { pipeline } from 'node:stream/promises'; import { Readable } from 'node:stream'; import { promisify } from 'node:util'
    console.log(gunzipSync(gzipSync('text')).toString(), (await promisify(zlib.deflate)('x')).length > 0)
    const kept = new AsyncLocalStorage(); await kept.run(7, async () => { await null; console.log(kept.getStore()) })
    const out = []; await pipeline(Readable.from(['a', 'b']), async (source) => { for await (const chunk of source) out.push(chunk) }); console.log(out)
    console.log(new Intl.NumberFormat('de-DE').format(1234.5), await new Response(new Blob(['z']).stream().pipeThrough(new CompressionStream('gzip')).pipeThrough(new DecompressionStream('gzip'))).text())`
  expect(await js.run({ code, ...FALLBACK })).toMatchObject({ stderr: '', stdout: "text true\n7\n[ 'a', 'b' ]\n1.234,5 z\n", exitCode: 0 })
})

it('changes and output after process.exit are ignored', async () => {
  const { js, workspace } = await made()
  const code = `import fs from 'node:fs'; fs.writeFileSync('before', '')
    process.on('exit', () => console.log('exit')); process.on('uncaughtException', () => console.log('never')); process.on('unhandledRejection', () => console.log('never'))
    setTimeout(() => console.log('never'), 1)
    try { process.exit(5) } catch { try { console.log('never') } catch {} try { fs.writeFileSync('after', '') } catch {} process.exitCode = 6; process.exit(7) }`
  expect(await js.run({ code, ...FALLBACK })).toMatchObject({ stderr: '', stdout: 'exit\n', exitCode: 5 })
  expect([await workspace.exists('before'), await workspace.exists('after')]).toEqual([true, false])
})

it('written bytes are limited', async () => {
  const { js, workspace } = await made()
  const code = `import fs from 'node:fs'; const b = Buffer.alloc(12 * 2 ** 20); for (let i = 0; i < 7; i++) fs.writeFileSync('f' + i, b)`
  const { exitCode, stderr } = await js.run({ code, ...FALLBACK })
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('ENOSPC')])
  expect(await workspace.exists('f6')).toBe(false)
})
