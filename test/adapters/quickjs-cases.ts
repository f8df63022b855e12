import { createQuickJs, type QuickJsOptions } from 'toolport/adapters/quickjs'
import { createTestWorkspace, type TestWorkspaceOptions } from 'toolport/testing'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { expectNothingOverwritten } from './js-conflict.js'
import { BOMBS, BUILTIN_LOOP } from './quickjs-loops.js'
import { kindsOf } from './some-cases.js'

/** Timeout of endless programs in milliseconds. */
const LIMIT_MS = 400

const LOOPS: Readonly<Record<string, string>> = {
  plain: 'for (;;);',
  'nested loops in try and finally': 'for (;;) { try { for (;;); } finally { for (;;); } }',
  'a slow regular expression': '/(x+x+)+y/.test("x".repeat(40))',
  'a getter that never returns': 'const o = { get a() { return o.a2 }, get a2() { for (;;); } }; o.a',
  'chained promises': 'const f = () => { Promise.resolve().then(f) }; f(); await new Promise(() => {})',
  'chained ticks': 'const f = () => process.nextTick(f); f()',
  'a sort that never returns': 'for (;;) [3, 1, 2].sort(() => { for (;;); })',
}

/** Attempts to escape from the sandbox. Each prints what it has reached. */
const ESCAPES: Readonly<Record<string, string>> = {
  'the constructor of a constructor':
    'console.log(console.log.constructor.constructor("return typeof globalThis.document + typeof globalThis.Deno + typeof process.binding")())',
  'a function created from text':
    'console.log(new Function("return typeof WebAssembly + typeof XMLHttpRequest + typeof importScripts + typeof postMessage")())',
  'the hook for stack traces': 'Error.prepareStackTrace = (_, frames) => frames; const s = new Error("x").stack; console.log(typeof s)',
  'a proxy as an argument':
    'const seen = []; const p = new Proxy({}, { get(_, k) { seen.push(String(k)); return undefined }, ownKeys: () => [] }); try { new URL(p) } catch {} console.log(typeof seen)',
}

/** Cases for this engine only. `whole`: with all hostile programs of each kind. */
export function quickJsCases(name: string, options: QuickJsOptions, hardKill: boolean, whole: boolean): void {
  const open: (() => Promise<void> | undefined)[] = []
  const make = (given?: TestWorkspaceOptions, more?: QuickJsOptions) => {
    const made = createTestWorkspace(given)
    return { ...made, js: createQuickJs({ ...options, ...more })(made.workspace) }
  }
  let shared: ReturnType<typeof make> | undefined
  afterAll(() => shared?.js.close?.())
  /** Without arguments all cases share one adapter, because a worker or engine takes longer to start than most programs run. */
  const setUp = (...given: Parameters<typeof make>) => {
    if (given.length === 0) {
      shared ??= make()
      return shared
    }
    const made = make(...given)
    open.push(() => made.js.close?.())
    return made
  }
  afterEach(async () => {
    for (const close of open.splice(0)) await close()
  })

  describe(`${name}: hostile programs`, () => {
    for (const [kind, code] of kindsOf(BOMBS, whole)) {
      it(`end when they use too much memory: ${kind}`, async () => {
        const { js } = setUp()
        const bomb = await js.run({ code, timeoutMs: 20_000 })
        expect(bomb).toMatchObject({ exitCode: 134, timedOut: false })
        expect(bomb.stderr).toMatch(/out of memory/)
        expect(await js.run({ code: 'console.log("next")' })).toMatchObject({ exitCode: 0, stdout: 'next\n' })
      })
    }

    for (const [kind, code] of kindsOf(LOOPS, whole)) {
      it(`end at the timeout in a loop: ${kind}`, async () => {
        const { js } = setUp()
        const looped = await js.run({ code, timeoutMs: LIMIT_MS })
        expect(looped).toMatchObject({ exitCode: null, timedOut: true })
        expect(await js.run({ code: 'console.log("next")' })).toMatchObject({ exitCode: 0, stdout: 'next\n' })
      })
    }

    it('end at the timeout in a builtin call if the adapter can kill', async () => {
      const { js } = setUp()
      await js.open?.()
      expect(js.can).toEqual({ hardKill, memoryCap: true, nodeApi: false, isolated: true })
      if (!hardKill) return
      expect(await js.run({ code: BUILTIN_LOOP, timeoutMs: LIMIT_MS })).toMatchObject({ exitCode: null, timedOut: true })
      expect(await js.run({ code: 'console.log("next")' })).toMatchObject({ stdout: 'next\n' })
    })

    it('end by their fuel if the clock stands still', async () => {
      const { js } = setUp({}, { fuel: 100 })
      expect(await js.run({ code: 'for (;;);' })).toMatchObject({ exitCode: null, timedOut: true })
      expect(await js.run({ code: 'console.log(1)' })).toMatchObject({ exitCode: 0, stdout: '1\n' })
    })

    it('survive a recursion of a million calls', async () => {
      const { js } = setUp()
      const code = 'let n = 0; const f = () => { if (++n < 1e6) f() }; try { f() } catch (e) { console.log(e instanceof RangeError) }'
      expect(await js.run({ code })).toMatchObject({ exitCode: 0, stdout: 'true\n' })
      expect(await js.run({ code: 'const f = () => f(); f()' })).toMatchObject({ exitCode: 1 })
      const nested = 'let s = "["; for (let i = 0; i < 20; i++) s += s; try { JSON.parse(s) } catch (e) { console.log(e.name) }'
      expect((await js.run({ code: nested })).exitCode).toBeDefined()
      expect(await js.run({ code: 'console.log("next")' })).toMatchObject({ stdout: 'next\n' })
    })

    it('do not affect the prototypes of the next program', async () => {
      const { js } = setUp()
      const dirty =
        'Object.prototype.polluted = 1; Array.prototype.map = null; JSON.parse = () => { throw 1 }; Promise.prototype.then = null; console.log("done")'
      expect((await js.run({ code: dirty, timeoutMs: 5000 })).stdout).toBe('done\n')
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
      expect((await js.run({ code: 'console.log(({}).polluted, [1].map(String))' })).stdout).toBe("undefined [ '1' ]\n")
    })

    for (const [kind, code] of kindsOf(ESCAPES, whole)) {
      it(`reach nothing outside: ${kind}`, async () => {
        const { js } = setUp()
        const { stdout, exitCode } = await js.run({ code })
        expect(exitCode).toBe(0)
        expect(stdout.replaceAll(/undefined|string|object/g, '').trim()).toBe('')
      })
    }

    it('have neither network nor tools without a grant', async () => {
      const { js } = setUp()
      expect((await js.run({ code: 'console.log(typeof fetch, typeof invokeTool, typeof XMLHttpRequest, typeof WebSocket)' })).stdout).toBe(
        'undefined undefined undefined undefined\n',
      )
    })

    it('keep the head and the tail of a flood of output', async () => {
      const { js } = setUp()
      const { stdout, truncated } = await js.run({ code: 'for (let i = 0; i < 5000; i++) console.log("line " + i)', maxBytes: 1000 })
      expect(truncated).toBe(true)
      expect(stdout.length).toBeLessThan(1400)
      expect(stdout).toMatch(/^line 0\n/)
      expect(stdout).toMatch(/line 4999\n$/)
    })
  })

  describe(`${name}: grants`, () => {
    it('allow fetch', async () => {
      const asked: unknown[] = []
      const fetch = {
        name: 'fake',
        async fetch({ url, method }: { url: string; method?: string }) {
          asked.push([url, method])
          return new Response('{"a":1}', { status: 201, headers: { 'x-y': 'z' } })
        },
      }
      const { js } = setUp()
      const code =
        'const r = await fetch("https://host.example/x", { method: "POST", body: "b" }); console.log(r.ok, r.status, r.headers.get("X-Y"), await r.json())'
      expect(await js.run({ code, grants: { fetch } })).toMatchObject({ stderr: '', stdout: 'true 201 z { a: 1 }\n' })
      expect(asked).toEqual([['https://host.example/x', 'POST']])
    })

    it('allow tool calls, and errors of tools can be caught', async () => {
      const { js } = setUp()
      const invokeTool = async (tool: string, input: unknown) => {
        if (tool === 'bad') throw new Error('refused')
        return { tool, input }
      }
      const code = 'console.log(await invokeTool("echo", { a: [1] })); try { await invokeTool("bad") } catch (e) { console.log(e.message) }'
      expect((await js.run({ code, grants: { invokeTool } })).stdout).toBe("{ tool: 'echo', input: { a: [ 1 ] } }\nrefused\n")
    })

    it('remove files or write access', async () => {
      const { js, files } = setUp({ files: { 'a.txt': 'a' } })
      const read = 'import fs from "node:fs"; try { console.log(fs.readFileSync("a.txt", "utf8")) } catch (e) { console.log(e.code) }'
      expect((await js.run({ code: read, grants: { fs: 'none' } })).stdout).toBe('ERR_ACCESS_DENIED\n')
      expect((await js.run({ code: read, grants: { fs: 'read' } })).stdout).toBe('a\n')
      const write = 'import fs from "node:fs"; try { fs.writeFileSync("a.txt", "b") } catch (e) { console.log(e.code) }'
      expect((await js.run({ code: write, grants: { fs: 'read' } })).stdout).toBe('EROFS\n')
      expect(await files()).toEqual({ 'a.txt': 'a' })
    })
  })

  it(`${name}: rejects an invalid memory limit`, async () => {
    const { js } = setUp()
    for (const memoryBytes of [0, -1, Number.NaN]) {
      await expect(js.run({ code: '', memoryBytes })).rejects.toMatchObject({ code: 'invalid_input', issues: [{ path: 'memoryBytes' }] })
    }
  })

  describe(`${name}: files`, () => {
    it('overwrite no concurrent change, and write all other files', async () => {
      const { js, workspace } = setUp({})
      await expectNothingOverwritten(js, workspace)
    })

    it('asynchronous reads see changes made after the start', async () => {
      const { js, workspace } = setUp({ files: { 'a.txt': 'old' } })
      const code =
        'import fs from "node:fs/promises"; console.log("begun"); await new Promise((done) => process.stdin.once("data", done)); console.log(await fs.readFile("a.txt", "utf8"), await fs.readdir("."))'
      let stdout = ''
      let begun: () => void = () => undefined
      const started = new Promise<void>((resolve) => {
        begun = resolve
      })
      const onOutput = ({ text }: { text: string }): void => {
        stdout += text
        begun()
      }
      const process = await js.spawn?.({ code, onOutput })
      await started
      await workspace.writeText('a.txt', 'new')
      await workspace.writeText('b.txt', 'b')
      await process?.write('go')
      await process?.closeInput?.()
      await process?.exited
      expect(stdout).toBe("begun\nnew [ 'a.txt', 'b.txt' ]\n")
    })

    it('a change that the policy rejects is reported, and other changes are written', async () => {
      const { js, files } = setUp({ files: { 'a.txt': 'a' }, policy: { paths: [{ paths: 'a.txt', access: 'write', action: 'deny' }] } })
      const { exitCode, stderr } = await js.run({
        code: 'import fs from "node:fs"; fs.writeFileSync("a.txt", "b"); fs.writeFileSync("c.txt", "c")',
      })
      expect(exitCode).toBe(1)
      expect(stderr).toMatch(/a\.txt/)
      expect(await files()).toEqual({ 'a.txt': 'a', 'c.txt': 'c' })
    })

    it('synchronous reads see the snapshot, and asynchronous reads see everything', async () => {
      const { js } = setUp({ files: { 'big.txt': 'x'.repeat(5000), 'small.txt': 's' } }, { snapshot: { maxBytes: 100 } })
      const code =
        'import fs from "node:fs"; console.log(fs.readFileSync("small.txt", "utf8")); try { fs.readFileSync("big.txt") } catch (e) { console.log(e.code) } console.log((await fs.promises.readFile("big.txt")).length)'
      expect((await js.run({ code })).stdout).toBe('s\nEAGAIN\n5000\n')
    })
  })

  describe(`${name}: spawned programs`, () => {
    it('read input while running', async () => {
      const { js } = setUp()
      const output: string[] = []
      let heard: () => void = () => undefined
      const next = (): Promise<void> =>
        new Promise((resolve) => {
          heard = resolve
        })
      const code =
        'process.stdin.setEncoding("utf8"); process.stdin.on("data", (text) => console.log("got " + text)); process.stdin.on("end", () => process.exit(7))'
      const process = await js.spawn?.({
        code,
        onOutput: ({ text }) => {
          output.push(text)
          heard()
        },
      })
      const first = next()
      await process?.write('one')
      await first
      await process?.closeInput?.()
      expect(await process?.exited).toEqual({ exitCode: 7 })
      expect(output.join('')).toBe('got one\n')
      await expect(process?.write('late')).rejects.toMatchObject({ code: 'not_running' })
    })

    for (const [signal, exitCode] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGKILL', 137],
    ] as const) {
      it(`are killed by ${signal}`, async () => {
        const { js } = setUp()
        let begun: () => void = () => undefined
        const started = new Promise<void>((resolve) => {
          begun = resolve
        })
        const process = await js.spawn?.({ code: 'console.log("begun"); setInterval(() => {}, 10)', onOutput: () => begun() })
        await started
        await process?.kill(signal)
        expect(await process?.exited).toEqual({ exitCode, signal })
        expect((await js.run({ code: 'console.log("next")' })).stdout).toBe('next\n')
      })
    }

    it('may handle a signal', async () => {
      const { js } = setUp()
      let begun: () => void = () => undefined
      const started = new Promise<void>((resolve) => {
        begun = resolve
      })
      const process = await js.spawn?.({
        code: 'process.on("SIGTERM", () => process.exit(9)); console.log("begun"); setInterval(() => {}, 10)',
        onOutput: () => begun(),
      })
      await started
      await process?.kill('SIGTERM')
      expect(await process?.exited).toEqual({ exitCode: 9 })
    })
  })

  describe(`${name}: the program`, () => {
    it('prints the same bytes on an equal host', async () => {
      const code =
        'console.log(Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(4))], new Date().getUTCFullYear())'
      const [one, two] = [setUp({ seed: 5 }), setUp({ seed: 5 })]
      const first = await one.js.run({ code })
      expect(first).toMatchObject({ exitCode: 0, stderr: '' })
      expect(first.stdout).toMatch(/ 2025\n$/)
      expect((await two.js.run({ code })).stdout).toBe(first.stdout)
      expect((await one.js.run({ code })).stdout).not.toBe(first.stdout)
    })

    it('has workspace paths and lines in its stack traces', async () => {
      const { js } = setUp({ files: { 'lib/deep.mjs': '\n\nexport function fail() {\n  throw new TypeError("deep")\n}' } })
      const { exitCode, stderr } = await js.run({ code: 'import { fail } from "./lib/deep.mjs"\n\nfail()', filename: 'main.mjs' })
      expect(exitCode).toBe(1)
      expect(stderr).toMatch(/TypeError: deep\n {4}at fail \(\/workspace\/lib\/deep\.mjs:4:\d+\)\n.*\/workspace\/main\.mjs:3:/)
    })

    it('runs TypeScript', async () => {
      const { js } = setUp({ files: { 'a.ts': 'enum E { A = 3 }\nexport const n: number = E.A satisfies number' } })
      expect((await js.run({ code: 'import { n } from "./a.ts"; const m: number = n; console.log(m)', filename: 'main.ts' })).stdout).toBe(
        '3\n',
      )
    })

    it('is rejected if its code, entry or cwd is invalid', async () => {
      const { js } = setUp()
      await expect(js.run({})).rejects.toMatchObject({ name: 'InputError' })
      await expect(js.run({ code: '', entry: 'a' })).rejects.toMatchObject({ name: 'InputError' })
      await expect(js.run({ entry: 'gone.mjs' })).rejects.toMatchObject({ name: 'FsError', code: 'ENOENT' })
      await expect(js.run({ code: '', cwd: 'gone' })).rejects.toMatchObject({ name: 'FsError' })
    })

    it('runs concurrently with others', async () => {
      const { js } = setUp()
      const all = await Promise.all(
        Array.from({ length: 4 }, (_, index) => js.run({ code: `await new Promise((r) => setTimeout(r, 20)); console.log(${index})` })),
      )
      expect(all.map(({ stdout }) => stdout)).toEqual(['0\n', '1\n', '2\n', '3\n'])
    })

    it('does not start after an abort or close()', async () => {
      const { js } = setUp({})
      expect(await js.run({ code: 'console.log(1)', signal: AbortSignal.abort() })).toMatchObject({
        aborted: true,
        exitCode: null,
        stdout: '',
      })
      await js.close?.()
      await expect(js.run({ code: '' })).rejects.toMatchObject({ name: 'JsError', code: 'unavailable' })
    })
  })
}
