// @module-tag node-js
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ShellOutput } from 'toolport'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cleanUp, freshRoot, isRunning, jsOf, root, run } from './node-js-fixture.js'

beforeEach(freshRoot)
afterEach(cleanUp)

setFlagsFromString('--expose-gc')
const gc: () => void = runInNewContext('gc')
const free = { permissions: false }

/** Resolves with the first number in the output. */
function firstNumber(): { readonly onOutput: (output: ShellOutput) => void; readonly found: Promise<number> } {
  let all = ''
  let tell = (_: number): void => {}
  const found = new Promise<number>((resolve) => (tell = resolve))
  return {
    found,
    onOutput({ text }) {
      all += text
      const number = /^(\d+)\n/m.exec(all)?.[1]
      if (number !== undefined) tell(Number(number))
    },
  }
}

it.each([
  ['a loop', 'for (;;);'],
  ['a loop that ignores SIGTERM', 'process.on("SIGTERM", () => {}); console.log(process.pid); for (;;);'],
  ['timers', 'setInterval(() => {}, 1)'],
  ['a regular expression', '/(a+)+$/.test("a".repeat(60) + "b")'],
  ['promises', 'const next = () => Promise.resolve().then(next); next()'],
])('a timeout ends %s', async (_, code) => {
  expect(await run({ code, timeoutMs: 400 })).toMatchObject({ exitCode: null, timedOut: true, aborted: false })
})

it('an abort ends a running program, and prevents one that has not started', async () => {
  const js = jsOf()
  const { onOutput, found } = firstNumber()
  const abort = new AbortController()
  const running = js.run({ code: 'console.log(process.pid); setInterval(() => {}, 1000)', signal: abort.signal, onOutput })
  const pid = await found
  abort.abort()
  expect(await running).toMatchObject({ exitCode: null, aborted: true, stdout: `${pid}\n` })
  expect(isRunning(pid)).toBe(false)
  expect(await js.run({ code: '1', signal: AbortSignal.abort() })).toMatchObject({ exitCode: null, aborted: true })
})

it('a timeout or the end of a program leaves no child processes', async () => {
  const child = 'process.on("SIGTERM", () => {}); console.log(process.pid); setInterval(() => {}, 1000)'
  const code = `import { spawn } from 'node:child_process'
    const child = spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.once('data', (pid) => process.stdout.write(pid, () => process.exit(2)))`
  const holding = code
    .replace(`['ignore', 'pipe', 'inherit']`, `'inherit'`)
    .replace(/child\.stdout.*/, 'setTimeout(() => process.exit(2), 300)')
  const js = jsOf(free)
  for (const result of await Promise.all([js.run({ code }), js.run({ code: holding })])) {
    expect(result).toMatchObject({ exitCode: 2, timedOut: false })
    for (const [pid] of result.stdout.matchAll(/\d+/g)) expect(isRunning(Number(pid))).toBe(false)
  }
})

it('40 MB of output leave less than 5 MB in memory', async () => {
  const js = jsOf()
  const held = (): number => {
    gc()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  await js.run({ code: '' })
  const before = held()
  let told = 0
  const code = `import { writeSync } from 'node:fs'
    const chunk = Buffer.alloc(1e6, 'x'.repeat(99) + '\\n')
    for (let i = 0; i < 40; i++) writeSync(1, chunk)
    console.log('end')`
  const result = await js.run({ code, maxBytes: 10_000, onOutput: ({ text }) => (told += text.length) })
  expect(result).toMatchObject({ exitCode: 0, truncated: true })
  expect(result.stdout.length).toBeLessThanOrEqual(10_000)
  expect(result.stdout).toMatch(/^x{99}\n[\s\S]*39\d{6} bytes left out[\s\S]*x\nend\n$/)
  expect(told).toBe(40_000_004)
  expect(held() - before).toBeLessThan(5 * 1024 * 1024)
})

it('all output written before process.exit is kept', async () => {
  const js = jsOf()
  const code = 'process.stdout.write("x".repeat(3e6) + "end"); process.exit(4)'
  const result = await js.run({ code, maxBytes: 4e6 })
  expect([result.exitCode, result.stdout.length, result.stdout.slice(-3)]).toEqual([4, 3e6 + 3, 'end'])
})

it('output decoding joins split characters and replaces invalid bytes', async () => {
  const code = `import { writeSync } from 'node:fs'
    const bytes = Buffer.from('é€😀')
    for (const byte of bytes) { writeSync(1, Buffer.of(byte)); await new Promise((done) => setTimeout(done, 2)) }
    writeSync(1, Buffer.of(0xff, 0x00, 0xc3))`
  const parts: string[] = []
  const { stdout } = await run({ code, onOutput: ({ text }) => parts.push(text) })
  expect(stdout).toBe('é€😀\uFFFD\0\uFFFD')
  expect(parts.join('')).toBe(stdout)
})

it('a program that does not read its input ends normally', async () => {
  const js = jsOf()
  const stdin = 'x'.repeat(5_000_000)
  expect(await js.run({ code: 'console.log(1)', stdin })).toMatchObject({ exitCode: 0, stdout: '1\n' })
  expect(await js.run({ code: 'process.stdin.destroy(); console.log(2)', stdin })).toMatchObject({ exitCode: 0, stdout: '2\n' })
})

it('a program that exceeds memoryBytes is killed, and the heap size follows the option', async () => {
  const js = jsOf({ memoryBytes: 48 * 1024 * 1024 })
  const size = 'import v8 from "node:v8"; export default v8.getHeapStatistics().heap_size_limit / 1048576'
  const [bomb, own, given] = await Promise.all([
    js.run({ code: 'const all = []; for (;;) all.push(new Array(1e5).fill({}))' }),
    js.run({ code: size }),
    js.run({ code: size, memoryBytes: 200 * 1024 * 1024 }),
  ])
  expect(bomb).toMatchObject({ exitCode: 134, signal: 'SIGABRT', stderr: expect.stringContaining('heap out of memory') })
  expect(own.result).toBeLessThan(80)
  expect(given.result).toBeGreaterThan(190)
  expect(await js.run({ code: 'export default 1' })).toMatchObject({ exitCode: 0, result: 1 })
})

it('twenty concurrent programs keep their outputs separate', async () => {
  const js = jsOf()
  const runs = Array.from({ length: 20 }, (_, i) =>
    js.run({ code: `console.log(process.argv[2]); console.error(process.env.I); export default ${i}`, args: [`${i}`], env: { I: `${i}` } }),
  )
  const results = await Promise.all(runs)
  expect(results.map(({ stdout, stderr, result }) => [stdout, stderr, result])).toEqual(results.map((_, i) => [`${i}\n`, `${i}\n`, i]))
})

it('close() ends running programs', async () => {
  const js = jsOf()
  const { onOutput, found } = firstNumber()
  const running = js.run({ code: 'process.on("SIGTERM", () => {}); console.log(process.pid); setInterval(() => {}, 1000)', onOutput })
  const pid = await found
  await js.close?.()
  expect(isRunning(pid)).toBe(false)
  expect(await running).toMatchObject({ exitCode: null, aborted: true })
})

it('a program of 5 MB runs, and an infinite recursion is a RangeError', async () => {
  const js = jsOf()
  const [long, deep] = await Promise.all([
    js.run({ code: `${'const a = 1; {} // é\n'.replace('const a = 1; ', '').repeat(900_000)}export default 5` }),
    js.run({ code: 'const down = () => down(); try { down() } catch (error) { console.log(error.name) }; down()' }),
  ])
  expect(long).toMatchObject({ exitCode: 0, stderr: '', result: 5 })
  expect(deep).toMatchObject({ exitCode: 1, stdout: 'RangeError\n', stderr: expect.stringContaining(`${root}/[eval].mjs:1`) })
})

it('a throwing output listener does not affect the program', async () => {
  const onOutput = (): void => {
    throw new Error('oops')
  }
  expect(await run({ code: 'console.log(1)', onOutput })).toMatchObject({ exitCode: 0, stdout: '1\n' })
})

it('forged messages on the result pipe are ignored, and a flood of them closes it', async () => {
  const code = `import { writeSync } from 'node:fs'
    writeSync(3, 'no json\\n{"call":"x"}\\nnull\\n{"call":1,"name":"t"}\\n\\xff\\n')
    export default 'fine'`
  expect(await run({ code })).toMatchObject({ exitCode: 0, result: 'fine' })
  const flood = `import { writeSync } from 'node:fs'
    const chunk = Buffer.alloc(1e6, 'x')
    try { for (let i = 0; i < 80; i++) writeSync(3, chunk) } catch (error) { console.log(error.code) }`
  expect(await run({ code: flood })).toMatchObject({ exitCode: 0, stdout: 'EPIPE\n' })
})
