// @module-tag worker-loader
import { expect, it } from 'vitest'
import type { GuestEnd, HostSide } from '../../adapters/cloudflare/js/job.js'
import { made } from './worker-loader-support.workerd.js'

const FALLBACK = { timeoutMs: 60_000 }

/** Attempts to leave the Worker through its modules. Each can use `reach`. */
const IMPORTS: Readonly<Record<string, string>> = {
  'sockets, statically': 'import { connect } from "cloudflare:sockets"; console.log("has", typeof connect)',
  'sockets, dynamically': 'const m = await import("cloudflare:sockets"); console.log("has", Object.keys(m))',
  'sockets, by a computed name': 'const m = await import(["cloudflare", "sockets"].join(":")); console.log("has", Object.keys(m))',
  'the cloudflare:workers module': 'const m = await import("cloudflare:workers"); console.log("has", Object.keys(m))',
  'the main module': 'const m = await import("/bundle/toolport/boot.js"); console.log("has", Object.keys(m))',
  'the network modules of Node': 'const m = await import("node:net"); m.connect(80, "127.0.0.1"); console.log("has", Object.keys(m))',
  'data: URLs': 'const m = await import("data:text/javascript,export default 1"); console.log("has", Object.keys(m))',
}

for (const [kind, code] of Object.entries(IMPORTS)) {
  it(`a program cannot import platform modules: ${kind}`, async () => {
    const { js } = await made()
    const { exitCode, stdout, stderr } = await js.run({ code, ...FALLBACK })
    expect(stdout).toBe('')
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/ERR_|Cannot find/)
  })
}

it('a program has no globals that reach outside', async () => {
  const { js } = await made()
  const names = [
    'fetch',
    'caches',
    'WebSocket',
    'WebSocketPair',
    'EventSource',
    'Cloudflare',
    'connect',
    'scheduler',
    'self',
    'addEventListener',
  ]
  const code = `console.log(${JSON.stringify(names)}.filter((name) => name in globalThis || name in Object.getPrototypeOf(globalThis)), typeof invokeTool)`
  expect((await js.run({ code, ...FALLBACK })).stdout).toBe('[] undefined\n')
})

it('a program cannot evaluate text as code', async () => {
  const { js } = await made()
  const code = `for (const make of [() => (0, eval)("1"), () => new Function("return 1")(), () => console.log.constructor("return 1")()]) {
    try { console.log(make()) } catch (e) { console.log(e.name) }
  }`
  expect((await js.run({ code, ...FALLBACK })).stdout).toBe('EvalError\nEvalError\nEvalError\n')
})

it('code that breaks out of its function reaches neither the network nor bindings', async () => {
  const code = `}
const out = []
const tried = (name, body) => { try { out.push(name + ' ' + body()) } catch (e) { out.push(name + ' ' + e.name) } }
tried('bindings', () => Object.keys(require('cloudflare:workers').env).length)
const socket = (() => { try { return require('cloudflare:sockets').connect('127.0.0.1:1') } catch (e) { return undefined } })()
const { fetch: plain } = require('cloudflare:workers')
module.exports = async function (exports, inner, module, __filename, __dirname) {
  console.log(out.join())
  const opened = await Promise.race([Promise.resolve(socket?.opened).then((o) => (o ? 'open' : 'none'), () => 'refused'), new Promise((r) => setTimeout(r, 1000, 'waits'))])
  console.log('socket', opened, typeof plain)
  try { const s = require('cloudflare:sockets').connect('127.0.0.1:1'); await s.opened; console.log('open') } catch (e) { console.log('second refused') }
  try { await require('node:http').get('http://127.0.0.1:1/').once('error', () => console.log('http refused')) } catch { console.log('http refused') }
`
  const { js } = await made()
  const { stdout, exitCode } = await js.run({ code, format: 'commonjs', timeoutMs: 20_000 })
  expect({ stdout, exitCode }).toEqual({ stdout: 'bindings 0\nsocket none undefined\nsecond refused\nhttp refused\n', exitCode: 0 })
})

it('changes of prototypes affect neither the next program nor the host', async () => {
  const { js } = await made()
  const dirty =
    'Object.prototype.polluted = 1; Array.prototype.map = null; JSON.parse = () => { throw 1 }; Promise.prototype.then = null; console.log("done")'
  expect(await js.run({ code: dirty, ...FALLBACK })).toMatchObject({ stdout: 'done\n', exitCode: 0 })
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  expect((await js.run({ code: 'console.log(({}).polluted, [1].map(String))', ...FALLBACK })).stdout).toBe("undefined [ '1' ]\n")
})

it('each program runs in its own Worker', async () => {
  const { js } = await made()
  const code = 'globalThis.seen = (globalThis.seen ?? 0) + 1; console.log(globalThis.seen)'
  const all = await Promise.all([1, 2, 3].map(() => js.run({ code, ...FALLBACK })))
  expect(all.map(({ stdout }) => stdout)).toEqual(['1\n', '1\n', '1\n'])
})

it('infinite recursion ends only its own program', async () => {
  const { js } = await made()
  expect(await js.run({ code: 'const f = () => f() + 1; f()', ...FALLBACK })).toMatchObject({ exitCode: 1 })
  expect(await js.run({ code: 'console.log("next")', ...FALLBACK })).toMatchObject({ exitCode: 0, stdout: 'next\n' })
})

it('forged messages cannot use tools or files without a grant', async () => {
  const { js, workspace } = await made({ 'secret.txt': 'secret' })
  const code = `try { globalThis.__toolport.builtin('fs').writeFileSync('secret.txt', 'x') } catch (e) { console.log(e.code) }
    try { console.log(await globalThis.__toolport.builtin('fs').promises.readFile('secret.txt', 'utf8')) } catch (e) { console.log(e.code) }`
  expect((await js.run({ code, grants: { fs: 'none' }, ...FALLBACK })).stdout).toBe('ERR_ACCESS_DENIED\nERR_ACCESS_DENIED\n')
  expect((await workspace.readText('secret.txt')).text).toBe('secret')
})

it('a default export that is not JSON does not break the adapter', async () => {
  const { js } = await made()
  expect(await js.run({ code: 'export default { toJSON: () => undefined }', ...FALLBACK })).toMatchObject({ exitCode: 0, stderr: '' })
  expect((await js.run({ code: 'JSON.stringify = () => "{"; export default { a: 1 }', ...FALLBACK })).result).toEqual({ a: 1 })
})

/** A loader whose Worker runs `run` instead of this library's code. */
const taken = (run: (host: HostSide) => Promise<GuestEnd>) => ({
  loader: { get: () => ({ getEntrypoint: () => ({ run }) }) },
})

it('partial changes of a crashed Worker are not written', async () => {
  const { js, workspace } = await made(
    { 'a.txt': 'old' },
    taken(async (host) => {
      host.change([{ do: 'write', path: '/workspace/b.txt', bytes: new Uint8Array(3) }])
      throw new Error('Worker exceeded memory limit.')
    }),
  )
  expect(await js.run({ code: '', ...FALLBACK })).toMatchObject({ exitCode: 134, stderr: expect.stringContaining('memory limit') })
  expect(await workspace.exists('b.txt')).toBe(false)
})

it('requests of a program after an abort are rejected', async () => {
  const controller = new AbortController()
  const called: string[] = []
  const answered = new Promise((resolve) => {
    const run = async (host: HostSide) => {
      host.output([['stdout', 'begun']])
      await host.next()
      resolve(await host.ask('invokeTool', '{"name":"x"}'))
      return {}
    }
    void made({}, taken(run)).then(({ js }) =>
      js.run({
        code: '',
        grants: { invokeTool: async (name) => void called.push(name) },
        signal: controller.signal,
        onOutput: () => controller.abort(),
      }),
    )
  })
  expect(await answered).toEqual({ error: { name: 'AbortError', message: 'The program was stopped' } })
  expect(called).toEqual([])
})
