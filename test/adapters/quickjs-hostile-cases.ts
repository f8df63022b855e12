import { createWorkspace, type FsAdapter, type JsRunOptions, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs, type QuickJsOptions } from 'toolport/adapters/quickjs'
import { createTestWorkspace } from 'toolport/testing'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { DEEP, goesOn } from './quickjs-deep.js'
import { kindsOf } from './some-cases.js'

const MIB = 2 ** 20
/** Timeout of programs that end by themselves, milliseconds. Only a program that hangs reaches the timeout, and then the test fails. */
const FALLBACK_MS = 60_000
const LIMIT_MS = 200

/** Programs that try to escape or to disguise values, with their output and exit code. */
const TRICKS: Readonly<Record<string, { readonly code: string; readonly stdout: string; readonly exitCode?: number }>> = {
  'functions created by the constructors of errors': {
    code: `const found = []
      const climb = (value) => { const F = value.constructor.constructor; found.push(F === Function, F('return globalThis')() === globalThis, F('return typeof require + typeof WebAssembly')()) }
      try { new URL('::') } catch (e) { climb(e) }
      try { await invokeTool('bad') } catch (e) { climb(e); found.push(Object.keys(e).join()) }
      try { await import('./none.mjs') } catch (e) { climb(e) }
      console.log([...new Set(found)].join())`,
    stdout: 'true,undefinedundefined,code\n',
  },
  'functions created by the constructors of promises and iterators': {
    code: `const climb = (value) => value.constructor.constructor('return globalThis')() === globalThis
      const answered = invokeTool('echo', [1])
      const search = new URLSearchParams('a=1')
      console.log(climb(answered), climb(await answered), climb(search), climb(process.stdin), climb(setTimeout(() => {}, 1)), climb(import.meta.resolve))`,
    stdout: 'true true true true true true\n',
  },
  'a custom species': {
    code: `let seen = 0
      Object.defineProperty(Promise, Symbol.species, { get() { seen++; return class extends Promise { constructor(run) { super(run) } } } })
      Object.defineProperty(ArrayBuffer, Symbol.species, { get() { seen++; return class { constructor() { return new Proxy(new ArrayBuffer(8), {}) } } } })
      console.log(await invokeTool('echo', { a: 1 }), Buffer.from('abc').toString('hex'))`,
    stdout: '{ a: 1 } 616263\n',
  },
  'getters, proxies and toJSON as input': {
    code: `const calls = []
      const input = { get a() { calls.push('get'); return 1 }, b: { toJSON: () => ({ c: 2 }) }, d: new Proxy({}, { ownKeys: () => ['__proto__'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 3 }), get: () => 3 }) }
      console.log(JSON.stringify(await invokeTool({ toString: () => 'echo' }, input)), calls.length)
      const circle = {}; circle.circle = circle
      await invokeTool('echo', circle).catch((e) => console.log(e.name))
      await invokeTool('echo', 1n).catch((e) => console.log(e.name))
      await invokeTool(Symbol('s')).catch((e) => console.log(e.name))`,
    stdout: '{"a":1,"b":{"c":2},"d":{"__proto__":3}} 1\nTypeError\nTypeError\nTypeError\n',
  },
  'a replaced JSON': {
    code: `JSON.stringify = () => 'no JSON'; JSON.parse = () => { throw 1 }
      setTimeout(async () => console.log(await invokeTool('echo', 'still')), 1)`,
    stdout: 'still\n',
  },
  'a direct call of the internal exit': { code: `process.__leave('abc')`, stdout: '', exitCode: 1 },
  'an invalid exit code': { code: `process.__exit = () => ({})`, stdout: '', exitCode: 1 },
  'invalid signals': {
    code: `for (const signal of ['SIGFOO', '__proto__', 99]) try { process.kill(1, signal) } catch (e) { console.log(e.code) }
      console.log(process.kill(process.pid, 0)); process.kill(process.pid, 'SIGHUP')`,
    stdout: 'ERR_UNKNOWN_SIGNAL\nERR_UNKNOWN_SIGNAL\nERR_UNKNOWN_SIGNAL\ntrue\n',
    exitCode: 129,
  },
  'nested exits': {
    code: `process.on('exit', () => { console.log('exit'); try { process.exit(3) } finally { process.exit(4) } }); try { process.exit(2) } finally { console.log('never') }`,
    stdout: 'exit\n',
    exitCode: 3,
  },
  'the parts that built its globals': {
    code: `console.log(Object.isFrozen(__toolport), Object.keys(__toolport).length > 0, typeof __toolport.builtin('fs').readFileSync)
      const seen = new Set()
      const walk = (value, depth) => { if (depth > 3 || value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value)) return; seen.add(value); for (const key of Reflect.ownKeys(value)) { let next; try { next = value[key] } catch { continue } if (next instanceof Promise) next.catch(() => {}); if (typeof next === 'function' && next.name === 'call' && next !== Function.prototype.call) console.log('found', String(key)); walk(next, depth + 1) } }
      walk(globalThis, 0)
      console.log(seen.size > 100)`,
    stdout: 'true true function\ntrue\n',
  },
  'repeated beforeExit events': {
    code: `process.on('beforeExit', () => { console.log('again'); if (++globalThis.n > 3) process.exit(6); setTimeout(() => {}, 0) }); globalThis.n = 0`,
    stdout: 'again\nagain\nagain\nagain\n',
    exitCode: 6,
  },
}

/** Endless programs of other kinds than `LOOPS` of `quickjs-loops.ts`: recursion, generators, output, timers, calls of tools. */
const NEVER: Readonly<Record<string, string>> = {
  'recursion, with a finally in each call': 'const f = () => { try { f() } finally { f() } }; for (;;) try { f() } catch {}',
  'recursion, with a catch in each call': 'const f = () => { try { f() } catch { f() } }; for (;;) f()',
  'nested generators': 'function* g() { try { yield* g() } finally { for (;;); } } for (;;) try { for (const x of g()); } catch {}',
  'searching a long string': 'const a = "a".repeat(1e6); for (;;) a.indexOf("b")',
  'an endless exit handler': `process.on('exit', () => { for (;;); })`,
  'an endless toJSON of the result': 'export default { toJSON() { for (;;); } }',
  'endless tool calls': `for (;;) await invokeTool('echo', 1)`,
  'tool calls without await': `for (let i = 0; i < 1e6; i++) invokeTool('echo', { i }); for (;;) await null`,
  output: `const text = 'x'.repeat(1e5); for (;;) process.stdout.write(text)`,
  'lines of output': 'for (;;) console.error(1)',
  timers: 'const f = () => { setTimeout(f, 0); setTimeout(f, 0) }; f()',
  immediates: 'const f = () => setImmediate(f); f()',
  'waiting for input': 'setInterval(() => {}, 1e6)',
}

/** Programs that try to fill the host's memory with files. */
const FILE_BOMBS: Readonly<Record<string, string>> = {
  files: `const bytes = new Uint8Array(MANY); for (;;) { fs.writeFileSync('f' + n, bytes); n++ }`,
  'one file': `const bytes = new Uint8Array(MANY); for (;;) { fs.appendFileSync('f', bytes); n++ }`,
  links: `const target = 'x'.repeat(4000); for (;;) { for (let i = 0; i < MANY / 8000; i++) fs.symlinkSync(target, 'l' + n + '-' + i); n++ }`,
  copies: `fs.writeFileSync('f', new Uint8Array(MANY)); for (;;) { fs.copyFileSync('f', 'f' + n); n++ }`,
  'files with invalid sizes': `fs.writeFileSync('a', '')
    for (const length of ['x', NaN, {}, null, 1.5, 1n]) try { fs.truncateSync('a', length); console.log('cut', length) } catch {}
    for (const [op, change] of [['truncate', { length: 'x' }], ['truncate', { length: -1e300 }], ['symlink', { target: { length: -1e12 } }], ['write', { path: {} }]]) {
      const asks = { truncate: () => fs.truncateSync('a', 0), symlink: () => fs.symlinkSync('t', 'l'), write: () => fs.writeFileSync('w', '') }[op]
      Object.defineProperty(Object.prototype, 'toJSON', { value() { return this.op === op ? { ...this, ...change } : this }, configurable: true, writable: true })
      try { asks(); console.log('took', op) } catch {}
      delete Object.prototype.toJSON
    }
    const bytes = new Uint8Array(MANY); for (;;) { fs.writeFileSync('f' + n, bytes); n++ }`,
  'files written by promises': `const bytes = new Uint8Array(MANY); for (;;) { await fs.promises.writeFile('f' + n, bytes); n++ }`,
}

/** `whole`: with all programs of each kind, including slow ones. */
export function hostileCases(name: string, options: QuickJsOptions, hardKill: boolean, whole: boolean): void {
  const itIfWhole = (title: string, test: () => Promise<void>): void => {
    if (whole) it(title, test)
  }
  // Programs with default options share one adapter, because a worker or engine takes longer to start than most programs run.
  let shared: ReturnType<typeof over> | undefined
  afterAll(() => shared?.close?.())
  const closing: (() => unknown)[] = []
  const over = (workspace: Workspace, more: QuickJsOptions = {}) => {
    const js = createQuickJs({ ...options, ...more })(workspace)
    closing.push(() => js.close?.())
    return js
  }
  const setUp = (more?: QuickJsOptions) => {
    if (more) return over(createTestWorkspace().workspace, more)
    shared ??= createQuickJs(options)(createTestWorkspace().workspace)
    return shared
  }
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })
  const invokeTool = async (tool: string, input: unknown): Promise<unknown> => {
    if (tool === 'bad') throw Object.assign(new Error('bad'), { code: 'c', secret: 'of the host', stack: 'of the host' })
    return input
  }

  describe(`${name}: escape attempts`, () => {
    for (const [kind, { code, stdout, exitCode = 0 }] of kindsOf(TRICKS, whole)) {
      it(`fail: ${kind}`, async () => {
        const js = setUp()
        const result = await js.run({ code, grants: { invokeTool }, timeoutMs: FALLBACK_MS })
        expect(result).toMatchObject({ stdout, exitCode, timedOut: false })
        expect(result.signal).toBeUndefined()
      })
    }

    it('hostile values in a result leave only plain data', async () => {
      const js = setUp()
      const resultOf = async (code: string) => (await js.run({ code, timeoutMs: FALLBACK_MS })).result
      const polluting = await resultOf(
        'export default JSON.parse(\'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}\')',
      )
      expect(Object.getPrototypeOf(polluting)).toBe(Object.prototype)
      expect(Object.keys(polluting as object)).toEqual(['__proto__', 'constructor'])
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
      expect(await resultOf('JSON.stringify = () => "[" ; export default { a: 1 }')).toEqual({ a: 1 })
      expect(await resultOf('export default { toJSON: () => "said" }')).toBe('said')
      expect(await resultOf('export default { toJSON() { throw new Error("no") } }')).toBeUndefined()
      expect(await resultOf('const a = {}; a.a = a; export default a')).toBeUndefined()
      expect(await resultOf('export default 1n')).toBeUndefined()
      expect(await resultOf('export default { then(resolve) { resolve(1) } }')).toEqual({})
    })

    it('hostile values in a tool call leave only plain data in both directions', async () => {
      const js = setUp()
      const seen: unknown[] = []
      const answers: unknown[] = [
        1n,
        () => 1,
        Symbol('s'),
        { toJSON: () => ({ a: 1 }) },
        undefined,
        JSON.parse('{"__proto__":{"polluted":1}}'),
      ]
      const code = `for (let i = 0; i < ${answers.length}; i++) await invokeTool('x', JSON.parse('{"__proto__":{"polluted":1}}')).then((v) => console.log('got', JSON.stringify(v), ({}).polluted), (e) => console.log(e instanceof Error))`
      const given = async (_: string, input: unknown): Promise<unknown> => {
        seen.push(input)
        return answers[seen.length - 1]
      }
      const { stdout, exitCode } = await js.run({ code, grants: { invokeTool: given }, timeoutMs: FALLBACK_MS })
      expect(exitCode).toBe(0)
      expect(stdout.split('\n')).toHaveLength(answers.length + 1)
      expect(stdout).not.toMatch(/\} 1$/m)
      for (const input of seen) expect(Object.keys(input as object)).toEqual(['__proto__'])
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    })
  })

  describe(`${name}: JSON that needs much memory once parsed`, () => {
    // A low limit suffices, because the test is about counting.
    const MANY = 'Array(1000).fill(Array(1000).fill({}))'

    it('is rejected as a result, with a message', async () => {
      const js = setUp()
      const { result, stderr, exitCode } = await js.run({ code: `console.log(1); export default ${MANY}`, timeoutMs: FALLBACK_MS })
      expect(result).toBeUndefined()
      expect([exitCode, stderr]).toEqual([
        0,
        'The default export is not handed over: It has more values than can be handed over: they take 24 MiB at the most\n',
      ])
      expect(await js.run({ code: 'export default 1 + 1', timeoutMs: FALLBACK_MS })).toMatchObject({ exitCode: 0, result: 2, stderr: '' })
    })

    itIfWhole('rejects a result that does not fit its memory', async () => {
      const code = `export default 'x'.repeat(14e6)`
      const { result, stderr, exitCode } = await setUp({ memoryBytes: 64 * MIB }).run({ code, timeoutMs: FALLBACK_MS })
      expect(result).toBeUndefined()
      expect([exitCode, stderr]).toEqual([
        0,
        expect.stringMatching(/^The default export is not handed over: It has 14000002 characters as JSON, .*memory/),
      ])
    })

    itIfWhole('returns large results', async () => {
      const js = setUp()
      const resultOf = async (code: string) => (await js.run({ code, timeoutMs: FALLBACK_MS })).result
      const numbers = Array.from({ length: 100_000 }, (_, i) => i * 1.5)
      expect(await resultOf('export default Array.from({ length: 100_000 }, (_, i) => i * 1.5)')).toEqual(numbers)
      expect(await resultOf('export default "x".repeat(4e6)')).toHaveLength(4e6)
      const rows = Array.from({ length: 15_000 }, (_, id) => ({ id, name: `name ${id}`, tags: ['a', '"[{,:'] }))
      expect(
        await resultOf("export default Array.from({ length: 15_000 }, (_, id) => ({ id, name: 'name ' + id, tags: ['a', '\"[{,:'] }))"),
      ).toEqual(rows)
      // Structural characters inside strings do not count.
      const text = '\\"[{,:'.repeat(300_000)
      expect(await resultOf(`export default ${JSON.stringify('\\"[{,:')}.repeat(300_000)`)).toBe(text)
    })

    itIfWhole('rejects tool input of too many values without calling the tool, and continues', async () => {
      const seen: unknown[] = []
      const counted = async (_: string, input: unknown): Promise<unknown> => seen.push(input)
      const code = `await invokeTool('x', ${MANY}).catch(({ name, message }) => console.log(name, message))
        const all = await Promise.allSettled(Array.from({ length: 16 }, () => invokeTool('x', Array(1000).fill({}))))
        console.log(all.every(({ status }) => status === 'fulfilled'), await invokeTool('x', Array(100_000).fill(1.5)))`
      const { stdout, stderr } = await setUp().run({ code, grants: { invokeTool: counted }, timeoutMs: FALLBACK_MS })
      expect([stdout, stderr]).toEqual(['RangeError Array buffer allocation failed\ntrue 17\n', ''])
      expect(seen.map((input) => (input as unknown[]).length)).toEqual([...Array(16).fill(1000), 100_000])
    })

    it('is rejected in calls to the host', async () => {
      const code = `import fs from 'node:fs'; import crypto from 'node:crypto'
        const many = Array(1000).fill([]), names = []
        const ask = async (key, question) => {
          Object.prototype.toJSON = function () { return this !== many && key in this ? many : this }
          try { await question(); names.push('none') } catch ({ name }) { names.push(name) } finally { delete Object.prototype.toJSON }
        }
        await ask('op', () => fs.statSync('/tmp'))
        await ask('op', () => fs.promises.stat('/tmp'))
        await ask('url', () => new URL('https://host.example/'))
        await ask('specifier', () => import(['./no', 'ne.mjs'].join('')))
        console.log(names.join(), fs.statSync('/tmp').isDirectory(), new URL('https://host.example/a').pathname)`
      const { stdout, stderr } = await setUp().run({ code, grants: { fs: 'write' }, timeoutMs: FALLBACK_MS })
      expect([stdout, stderr]).toEqual(['RangeError,RangeError,RangeError,RangeError true /a\n', ''])
    })

    itIfWhole('accepts long URLs and strings', async () => {
      const code = `const url = new URL('data:text/plain,' + 'x'.repeat(1e6)), headers = Array.from({ length: 500 }, (_, i) => ['x-' + i, 'v'])
        console.log(url.href.length, new TextDecoder().decode(new Uint8Array(2e6)).length, (await fetch('https://host.example/', { headers })).status)`
      const fetch = {
        name: 'headers',
        fetch: async ({ headers = [] }: { headers?: unknown }) =>
          new Response(null, { status: [...(headers as unknown[])].length === 500 ? 200 : 400 }),
      }
      const { stdout, stderr } = await setUp({ memoryBytes: 64 * MIB }).run({ code, grants: { fetch }, timeoutMs: FALLBACK_MS })
      expect([stdout, stderr]).toEqual(['1000016 2000000 200\n', ''])
    })

    itIfWhole('decodes characters that cross the boundaries of counted parts', async () => {
      const code = `const bytes = new Uint8Array(4.8e6).map((_, at) => [0xe2, 0x82, 0xac][at % 3])
        const read = (bytes) => { try { return new TextDecoder('utf-8', { fatal: true }).decode(bytes) } catch ({ name }) { return name } }
        const text = read(bytes)
        console.log(text.length, text.split('\u20ac').length - 1, read(bytes.subarray(0, -1)))`
      const { stdout, stderr } = await setUp({ memoryBytes: 64 * MIB }).run({ code, timeoutMs: FALLBACK_MS })
      expect([stdout, stderr]).toEqual(['1600000 1600000 TypeError\n', ''])
    })
  })

  describe(`${name}: infinite recursion`, () => {
    for (const [kind, [code, error]] of kindsOf(DEEP, whole)) {
      it(`can be caught, and the program continues: ${kind}`, async () => {
        const { stdout, stderr, exitCode } = await setUp().run({ code: goesOn(code), timeoutMs: FALLBACK_MS })
        expect({ stdout, stderr, exitCode }).toEqual({ stdout: expect.stringMatching(`^${error}\non\n$`), stderr: '', exitCode: 0 })
      })
    }
  })

  it(`${name}: accepts source that is nested as deeply as real code`, async () => {
    const nested = (open: string, close: string): string => `eval(${JSON.stringify(`f = ${open.repeat(75)}1${close.repeat(75)}`)})`
    const all = [nested('f(', ')'), nested('(', ')'), nested('[', ']'), nested('{a:', '}'), nested('(() => {', '})')]
    const code = `globalThis.f = (x) => x; ${all.join(';')}; ${`${'if (0) {} else '.repeat(300)}{}`}; console.log(JSON.parse('${'['.repeat(500)}${']'.repeat(500)}').length)`
    expect(await setUp().run({ code, timeoutMs: FALLBACK_MS })).toMatchObject({ stdout: '1\n', stderr: '', exitCode: 0 })
  })

  describe(`${name}: endless programs`, () => {
    for (const [kind, code] of kindsOf(NEVER, whole)) {
      it(`end at the timeout, and the next program runs: ${kind}`, async () => {
        const js = setUp()
        const { timedOut, exitCode, stdout } = await js.run({ code, grants: { invokeTool }, timeoutMs: LIMIT_MS })
        expect({ timedOut, exitCode }).toEqual({ timedOut: true, exitCode: null })
        expect(stdout.length).toBeLessThan(MIB)
        expect(await js.run({ code: 'console.log("next")', timeoutMs: FALLBACK_MS })).toMatchObject({ exitCode: 0, stdout: 'next\n' })
      })
    }
  })

  describe(`${name}: memory`, () => {
    itIfWhole('ends a program with millions of pending promises', async () => {
      const js = setUp()
      const code = 'const all = []; for (;;) all.push(new Promise(() => {}).then(() => {}))'
      expect(await js.run({ code, timeoutMs: FALLBACK_MS })).toMatchObject({ exitCode: 134, timedOut: false })
      expect(await js.run({ code: 'console.log("next")', timeoutMs: FALLBACK_MS })).toMatchObject({ exitCode: 0, stdout: 'next\n' })
    })

    for (const [kind, code] of kindsOf(FILE_BOMBS, whole)) {
      it(`memory of a program’s files stays below memoryBytes: ${kind}`, async () => {
        const [memoryBytes, many] = [32 * MIB, 2 * MIB]
        const js = setUp({ memoryBytes })
        const whole = `import fs from 'node:fs'; const MANY = ${many}; let n = 0; try { ${code} } catch (e) { console.log(e.code, n); process.exit(9) }`
        const { stdout, exitCode } = await js.run({ code: whole, timeoutMs: FALLBACK_MS, grants: { fs: 'write' } })
        const [code_, count] = stdout.trim().split(' ')
        expect(code_).toBe('ENOSPC')
        expect(Number(count)).toBeGreaterThan(5)
        expect(Number(count) * many).toBeLessThan(memoryBytes)
        expect(exitCode).toBe(9)
      })
    }

    itIfWhole('frees the memory of removed files', async () => {
      const js = setUp({ memoryBytes: 32 * MIB })
      const code = `import fs from 'node:fs'; const bytes = new Uint8Array(${3 * MIB})
        for (let i = 0; i < 20; i++) { fs.writeFileSync('a', bytes); fs.renameSync('a', 'b'); fs.truncateSync('b', 10); fs.writeFileSync('b', bytes); fs.rmSync('b') }
        fs.truncateSync('gone', -1)`
      const { stderr } = await js.run({ code, timeoutMs: FALLBACK_MS })
      expect(stderr).toMatch(/ENOENT/)
    })

    itIfWhole('counts a file unchanged if its new name does not fit', async () => {
      const js = setUp({ memoryBytes: 32 * MIB })
      const code = `import fs from 'node:fs'
        const bytes = new Uint8Array(${3 * MIB}), long = '/tmp/' + 'x'.repeat(200) + '/y'
        fs.mkdirSync('/tmp/' + 'x'.repeat(200))
        let full = 0
        for (let n = 0; full < 3 && n < 200; n++) {
          try { fs.writeFileSync('/tmp/a' + n, bytes) } catch (e) {
            full++
            // What is left is too little for a longer name.
            let small = 0
            try { for (;;) fs.writeFileSync('/tmp/s' + n + '-' + small++, new Uint8Array(10)) } catch {}
            for (let m = 0; m < n; m++) try { fs.renameSync('/tmp/a' + m, long + m) } catch (e) { if (e.code !== 'ENOSPC' && e.code !== 'ENOENT') throw e }
          }
        }
        const held = fs.readdirSync('/tmp', { recursive: true }).map((name) => fs.lstatSync('/tmp/' + name)).reduce((sum, { size }) => sum + size, 0)
        console.log(full, held < ${16 * MIB})`
      const { stdout, stderr } = await js.run({ code, timeoutMs: FALLBACK_MS, grants: { fs: 'write' } })
      expect([stdout, stderr]).toEqual(['3 true\n', ''])
    })

    it('is released after asynchronous reads', async () => {
      const { workspace } = createTestWorkspace({ files: { 'small.txt': 'small' } })
      for (let n = 0; n < 12; n++) await workspace.writeBytes(`f${n}`, new Uint8Array(3 * MIB))
      const js = over(workspace, { memoryBytes: 32 * MIB, snapshot: { maxBytes: 1000 } })
      const code = `import fs from 'node:fs'
        let read = 0
        await Promise.all(Array.from({ length: 4 }, () => fs.promises.stat('f0')))
        for (let n = 0; n < 12; n++) {
          read += (await fs.promises.readFile('f' + n)).length
          try { fs.readFileSync('f' + n); console.log('kept', n) } catch (e) { if (e.code !== 'EAGAIN') throw e }
        }
        await fs.promises.copyFile('f0', 'g0')
        console.log(read, await fs.promises.readFile('small.txt', 'utf8'), fs.readFileSync('small.txt', 'utf8'), fs.readFileSync('g0').length)`
      const { stdout, stderr } = await js.run({ code, timeoutMs: FALLBACK_MS, grants: { fs: 'write' } })
      expect([stdout, stderr]).toEqual([`${36 * MIB} small small ${3 * MIB}\n`, ''])
    })

    itIfWhole('continues after oversized requests and answers each of them', async () => {
      const { workspace } = createTestWorkspace({ files: { a: 'hello' } })
      const tally = `const tally = (all) => { const n = {}; for (const { status, reason } of all) { const key = reason ? (reason.code ?? reason.message) : status; n[key] = (n[key] ?? 0) + 1 } return n }`
      const code = `import fs from 'node:fs'; ${tally}
        const large = new ArrayBuffer(30e6)
        for (let n = 0; n < 6; n++) await Promise.allSettled(Array.from({ length: 4 }, (_, i) => fs.promises.writeFile('/tmp/' + i, large)))
        for (const name of fs.readdirSync('/tmp')) fs.rmSync('/tmp/' + name)
        console.log(await fs.promises.readFile('a', 'utf8'))`
      const js = over(workspace, { memoryBytes: 64 * MIB })
      const first = await js.run({ code, timeoutMs: FALLBACK_MS, grants: { fs: 'write' } })
      expect([first.stdout, first.stderr]).toEqual(['hello\n', ''])
      const many = `import fs from 'node:fs'; ${tally}
        const bytes = new ArrayBuffer(6e6)
        console.log(tally(await Promise.allSettled(Array.from({ length: 40 }, (_, n) => fs.promises.writeFile('/tmp/same', n < 15 ? 'x' : bytes)))))
        const fetched = async () => (await (await fetch('https://host.example/')).arrayBuffer()).byteLength
        console.log(tally(await Promise.allSettled(Array.from({ length: 16 }, fetched))))`
      const fetch = { name: 'large', fetch: async () => new Response(new Uint8Array(5 * MIB)) }
      const second = await js.run({ code: many, timeoutMs: FALLBACK_MS, grants: { fs: 'write', fetch } })
      expect([second.stdout, second.stderr]).toEqual(['{ fulfilled: 40 }\n{ fulfilled: 16 }\n', ''])
    })

    itIfWhole('retains little of the text of requests', async () => {
      const code = `import fs from 'node:fs'; const text = 'x'.repeat(4e6)
        const all = await Promise.allSettled(Array.from({ length: 16 }, () => invokeTool('slow', text)))
        const [fits, not] = [all.filter(({ status }) => status === 'fulfilled'), all.filter(({ reason }) => reason?.name === 'RangeError')]
        console.log(fits.length > 2, fits.length + not.length, (await invokeTool('slow', 'x')).length)`
      const invoke = async (_: string, input: unknown): Promise<unknown> => (String(input).length > 1 ? 1 : 'x')
      const { stdout, stderr } = await setUp({ memoryBytes: 32 * MIB }).run({
        code,
        timeoutMs: FALLBACK_MS,
        grants: { fs: 'write', invokeTool: invoke },
      })
      expect([stdout, stderr]).toEqual(['true 16 1\n', ''])
    })

    it('is not used for paths that the program has not visited', async () => {
      const files = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`a${n}`, `${n}`]))
      const { workspace } = createTestWorkspace({
        files: { ...files, 'zreal/x/f': 'hi', 'nm/package.json': 'wrong', 'store/pkg/package.json': 'right' },
      })
      await workspace.symlink('zreal', 'zlink')
      await workspace.symlink('../store/pkg', 'nm/pkg')
      const code = `import fs from 'node:fs'
        const { readFile, readdir, rm, mkdir, copyFile, stat } = fs.promises
        console.log(await readFile('zlink/x/f', 'utf8'), await readFile(process.cwd() + '/zreal/../a29', 'utf8'))
        await rm('zlink', { recursive: true, force: true })
        await readdir('nm')
        console.log(await readFile('nm/pkg/package.json', 'utf8'), fs.readlinkSync('nm/pkg'))
        console.log(await mkdir('store', { recursive: true }), (await stat('store')).isDirectory())
        await invokeTool('change')
        console.log(await copyFile('a1', 'a0', fs.constants.COPYFILE_EXCL).catch((e) => e.code), fs.readFileSync('a0', 'utf8'))`
      const change = async (): Promise<unknown> => (await workspace.writeText('a0', 'changed')) && null
      const js = over(workspace, { snapshot: { maxFiles: 5 } })
      const { stdout, stderr } = await js.run({ code, timeoutMs: FALLBACK_MS, grants: { fs: 'write', invokeTool: change } })
      expect([stdout, stderr]).toEqual(['hi 29\nright ../store/pkg\nundefined true\nEEXIST changed\n', ''])
      expect(await workspace.readText('zreal/x/f')).toMatchObject({ text: 'hi' })
      expect(await workspace.exists('zlink')).toBe(false)
    })

    it('asynchronous calls: discovered directories can be listed and removed', async () => {
      const files = { ...Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}`, 'x'])), 'zz/y/x/old': 'hi' }
      const { workspace } = createTestWorkspace({ files })
      const code = `import fs from 'node:fs'
        console.log(await fs.promises.readFile('zz/y/x/old', 'utf8'), (await fs.promises.readdir('.')).includes('zz'), await fs.promises.readdir('zz'))
        await fs.promises.writeFile('zz/y/x/new', 'n')
        await fs.promises.rm('zz', { recursive: true })
        console.log(await fs.promises.stat(process.cwd() + '/nope/../f0').catch((e) => e.code), fs.existsSync('nope'))`
      const { stdout, stderr } = await over(workspace, { snapshot: { maxFiles: 5 } }).run({
        code,
        timeoutMs: FALLBACK_MS,
        grants: { fs: 'write' },
      })
      expect([stdout, stderr]).toEqual(["hi true [ 'y' ]\nENOENT false\n", ''])
      expect(await workspace.exists('zz')).toBe(false)
    })

    itIfWhole('a program can change unreadable entries synchronously and read them by promise afterwards', async () => {
      const { workspace } = createTestWorkspace()
      await workspace.writeBytes('large', new Uint8Array(15 * MIB).fill(7))
      const code = `import fs from 'node:fs'
        fs.chmodSync('large', 0o600)
        const { length } = await fs.promises.readFile('large')
        fs.utimesSync('large', 1, 1)
        console.log(length, (await fs.promises.readFile('large'))[length - 1], (await fs.promises.stat('large')).mode & 0o777)`
      const cut = await over(workspace, { memoryBytes: 64 * MIB, snapshot: { maxBytes: 1000 } }).run({
        code,
        timeoutMs: FALLBACK_MS,
        grants: { fs: 'write' },
      })
      expect([cut.stdout, cut.stderr]).toEqual([`${15 * MIB} 7 384\n`, ''])
      // The file does not count as the program's memory, because it existed before.
      const moves = `import fs from 'node:fs'; fs.renameSync('large', 'moved'); fs.renameSync('moved', 'again'); console.log(fs.statSync('again').size)`
      const moved = await over(workspace, { memoryBytes: 24 * MIB }).run({ code: moves, timeoutMs: FALLBACK_MS, grants: { fs: 'write' } })
      expect([moved.stdout, moved.stderr]).toEqual([`${15 * MIB}\n`, ''])
      expect((await workspace.stat('again')).size).toBe(15 * MIB)
    })

    itIfWhole('reports full memory only if it is full', async () => {
      const js = setUp({ memoryBytes: 32 * MIB })
      const fill = `import fs from 'node:fs'; try { for (let n = 0; ; n++) fs.writeFileSync('/tmp/' + n, new Uint8Array(1e6)) } catch {}`
      const thrown = await js.run({ code: `${fill} throw null`, timeoutMs: FALLBACK_MS, grants: { fs: 'write' } })
      expect(thrown.exitCode).toBe(1)
      expect(thrown.stderr).not.toMatch(/memory/)
      const full = await js.run({
        code: `${fill} const all = []; for (;;) all.push(new Uint8Array(1e5))`,
        timeoutMs: FALLBACK_MS,
        grants: { fs: 'write' },
      })
      expect(full.exitCode).toBe(134)
      expect(full.stderr).toMatch(/out of memory/)
      const fetch = { name: 'large', fetch: async () => new Response(new Uint8Array(12 * MIB)) }
      const { exitCode, stderr } = await js.run({
        code: `${fill} await (await fetch('https://host.example/')).text()`,
        timeoutMs: FALLBACK_MS,
        grants: { fs: 'write', fetch },
      })
      expect([exitCode, stderr]).toEqual([134, expect.stringMatching(/memory: the program may use 32 MiB, and its files take 1\d of them/)])
      const large = 'try { new ArrayBuffer(1e9) } catch {}'
      expect(await js.run({ code: `${large} throw null`, timeoutMs: FALLBACK_MS })).toMatchObject({ exitCode: 1 })
      expect(await js.run({ code: `${large} await new Promise(() => {})`, timeoutMs: FALLBACK_MS })).toMatchObject({ exitCode: 13 })
      const grown = 'const all = []; for (let n = 0; n < 9; n++) all.push(new Uint8Array(1e6))'
      expect(await js.run({ code: `${grown}; await new Promise(() => {})`, timeoutMs: FALLBACK_MS })).toMatchObject({ exitCode: 13 })
      const small = `import fs from 'node:fs'; try { fs.writeFileSync('/tmp/a', ''); fs.truncateSync('/tmp/a', 0) } catch (e) { console.log(e.code) }`
      expect((await setUp({ memoryBytes: 8 * MIB }).run({ code: small, timeoutMs: FALLBACK_MS, grants: { fs: 'write' } })).stdout).toBe(
        'ENOSPC\n',
      )
    })

    itIfWhole('rejects input, arguments, variables and answers that do not fit', async () => {
      const js = setUp({ memoryBytes: 32 * MIB })
      const much = 'x'.repeat(40 * MIB)
      const fetch = { name: 'much', fetch: async () => new Response(new Uint8Array(40 * MIB)) }
      const programs: readonly JsRunOptions[] = [
        { code: 'for await (const chunk of process.stdin);', stdin: much },
        { code: '', args: [much] },
        { code: '', env: { MUCH: much } },
        { code: 'await (await fetch("https://host.example/")).text()', grants: { fetch } },
        { code: 'await invokeTool("x")', grants: { invokeTool: async () => much } },
      ]
      for (const program of programs) {
        const { exitCode, stderr } = await js.run({ ...program, timeoutMs: FALLBACK_MS })
        expect([exitCode, stderr]).toEqual([134, expect.stringMatching(/out of memory: the program may use 32 MiB/)])
      }
      expect((await js.run({ code: `"${much}"`, timeoutMs: FALLBACK_MS })).exitCode).not.toBe(0)
      const code = 'await invokeTool("x").catch(({ message }) => console.log(message.length, message.at(-1)))'
      for (const error of [new Error(much), much]) {
        const result = await js.run({ code, grants: { invokeTool: () => Promise.reject(error) }, timeoutMs: FALLBACK_MS })
        expect(result).toMatchObject({ exitCode: 0, stdout: '65537 …\n' })
      }
      expect(await js.run({ code: 'console.log("next")', timeoutMs: FALLBACK_MS })).toMatchObject({ exitCode: 0, stdout: 'next\n' })
    })
  })

  describe(`${name}: concurrency`, () => {
    it('limits open tool calls and answers all of them', async () => {
      const js = setUp()
      let [open, most] = [0, 0]
      const slow = async (_: string, input: unknown): Promise<unknown> => {
        most = Math.max(most, ++open)
        await new Promise((done) => setTimeout(done, 1))
        open--
        return input
      }
      const code = `const inputs = Array.from({ length: 300 }, (_, i) => ({ i })); const all = inputs.map((input) => invokeTool('x', input)); for (const input of inputs) input.i = -1
        console.log((await Promise.all(all)).every(({ i }, at) => i === at))`
      expect(await js.run({ code, grants: { invokeTool: slow }, timeoutMs: FALLBACK_MS })).toMatchObject({ stdout: 'true\n', exitCode: 0 })
      expect(most).toBeLessThanOrEqual(16)
      expect(most).toBeGreaterThan(4)
    })

    it('runs thousands of timers, ticks and immediates in order, without quadratic cost', async () => {
      // The engine's fuel, not time, limits the program. If each timer looked at all others, the fuel would not suffice.
      const js = setUp({ fuel: 800 })
      const code = `const seen = []; let [ticks, immediates] = [0, 0]
        const kept = Array.from({ length: 4000 }, (_, i) => setTimeout(() => seen.push(i % 40), i % 40))
        for (let i = 0; i < 4000; i += 2) clearTimeout(kept[i])
        for (let i = 0; i < 4000; i++) { process.nextTick(() => ticks++); setImmediate(() => immediates++) }
        const interval = setInterval(() => interval.refresh(), 1); setTimeout(() => clearInterval(interval), 60)
        setTimeout(() => {}, 1e9).unref()
        process.on('exit', () => console.log(seen.length, ticks, immediates))`
      expect(await js.run({ code, timeoutMs: FALLBACK_MS })).toMatchObject({ stdout: '2000 4000 4000\n', exitCode: 0 })
    })
  })

  describe(`${name}: storage that never answers`, () => {
    /** The memory adapter, one method of which never settles after `hang`. */
    const hanging = (method: keyof FsAdapter) => {
      const inner = createMemoryFs()
      let hangs = false
      let began: () => void = () => undefined
      const asked = new Promise<void>((resolve) => {
        began = resolve
      })
      const fs = new Proxy(inner, {
        get(target, key) {
          const value: unknown = Reflect.get(target, key, target)
          if (typeof value !== 'function') return value
          if (key !== method) return value.bind(target)
          return (...args: unknown[]) => {
            if (!hangs) return Reflect.apply(value, target, args)
            began()
            return new Promise(() => undefined)
          }
        },
      })
      return {
        workspace: createWorkspace({ fs }),
        asked,
        hang: () => {
          hangs = true
        },
      }
    }

    const PROGRAMS: Readonly<Record<string, readonly [keyof FsAdapter, string]>> = {
      'it waits for its modules': ['read', 'import "./a.mjs"'],
      'it waits for its files': ['lstat', 'import fs from "node:fs"'],
      'its changes are being written': ['write', 'import fs from "node:fs"; fs.writeFileSync("b.txt", "b"); console.log("to the end")'],
      'it reads a file': ['read', 'import fs from "node:fs/promises"; await fs.readFile("a.mjs")'],
      'it imports a module': ['read', 'const name = "./a.mjs"; await import(name)'],
    }
    for (const [when, [method, code]] of kindsOf(PROGRAMS, whole)) {
      it(`ends a program at its timeout and on abort while ${when}`, async () => {
        const { workspace, asked, hang } = hanging(method)
        await workspace.writeText('a.mjs', 'export {}')
        const js = over(workspace)
        // Starts the engine first, so that its start does not count.
        await js.run({ code: '', timeoutMs: FALLBACK_MS })
        hang()
        const stop = new AbortController()
        const aborted = js.run({ code, signal: stop.signal })
        await asked
        stop.abort()
        expect(await aborted).toMatchObject({ exitCode: null, aborted: true, timedOut: false })
        expect(await js.run({ code, timeoutMs: LIMIT_MS })).toMatchObject({ exitCode: null, timedOut: true, aborted: false })
      })
    }
  })

  itIfWhole(`${name}: ends twenty concurrent programs at their timeouts`, async () => {
    if (!hardKill) return
    const js = setUp({ memoryBytes: 24 * MIB })
    const ended = Array.from({ length: 20 }, () => js.run({ code: 'for (;;);', timeoutMs: LIMIT_MS }))
    const beside = js.run({ code: 'console.log(1)', timeoutMs: FALLBACK_MS })
    expect((await Promise.all(ended)).map(({ timedOut, exitCode }) => [timedOut, exitCode])).toEqual(ended.map(() => [true, null]))
    expect(await beside).toMatchObject({ stdout: '1\n', exitCode: 0 })
  })
}
