// @module-tag node-js
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withGrowingTime } from '../contract/shell/case.js'
import { cleanUp, freshRoot, jsOf, put, root, run } from './node-js-fixture.js'

let outside: string
beforeEach(() => {
  freshRoot()
  outside = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-outside-')))
})
afterEach(async () => {
  await cleanUp()
  rmSync(outside, { recursive: true, force: true })
})

/** A program that returns, for each attempt, its value or the code of its error. */
function attempts(...expressions: string[]): string {
  return `import fs from 'node:fs'; import { execSync } from 'node:child_process'; import { Worker } from 'node:worker_threads'
    const attempt = (work) => { try { return work() ?? 'done' } catch (error) { return error.code } }
    export default [${expressions.map((text) => `attempt(() => ${text})`).join(', ')}]
    setTimeout(() => process.exit(), 100)`
}

it('a program reads and writes only the workspace by default', async () => {
  put({ 'a.txt': 'a' })
  const code = attempts(
    'fs.readFileSync("a.txt", "utf8")',
    'fs.writeFileSync("b.txt", "b")',
    `fs.readFileSync("/etc/passwd", "utf8")`,
    `fs.writeFileSync("${outside}/c.txt", "c")`,
    'execSync("true")',
    'new Worker("1", { eval: true })',
  )
  const denied = 'ERR_ACCESS_DENIED'
  expect(await run({ code })).toMatchObject({ stderr: '', exitCode: 0, result: ['a', 'done', denied, denied, denied, denied] })
  expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('b')
  expect(existsSync(join(outside, 'c.txt'))).toBe(false)
})

it('permissions allow the named resources, or everything', async () => {
  put({ 'dep.ts': 'export const n: number = 7', 'worker.ts': 'import { n } from "./dep.js"; console.log(n as number)' })
  const code = attempts(
    `fs.writeFileSync("${outside}/c.txt", "c")`,
    `fs.readFileSync("${outside}/c.txt", "utf8")`,
    'execSync("printf child", { encoding: "utf8" })',
    'fs.readFileSync("/etc/passwd", "utf8").length > 0',
  )
  const named = await run({ code }, { permissions: { write: [outside], childProcesses: true } })
  expect(named).toMatchObject({ stderr: '', result: ['done', 'c', 'child', 'ERR_ACCESS_DENIED'] })
  expect(await run({ code }, { permissions: false })).toMatchObject({ stderr: '', result: ['done', 'c', 'child', true] })
  const worker = `import { Worker } from 'node:worker_threads'; new Worker(new URL('./worker.ts', import.meta.url))`
  expect(await run({ code: worker }, { permissions: { workers: true } })).toMatchObject({ stderr: '', stdout: '7\n' })
})

it('a workspace below a link can be read by the link path and the real path', async () => {
  put({ 'real/a.txt': 'a', 'real/a.mjs': 'export default 1' })
  symlinkSync('real', join(root, 'link'))
  const code = `import fs from 'node:fs'; import one from './a.mjs'; export default [fs.readFileSync('a.txt', 'utf8'), one]`
  expect(await run({ code, cwd: 'link' })).toMatchObject({ stderr: '', result: ['a', 1] })
})

it('grants.fs removes write or all access, whatever the adapter allows', async () => {
  put({
    'a.txt': 'a',
    'dep.mjs': 'export const n = 7',
    'own.mjs': 'import fs from "node:fs"; try { fs.readFileSync("a.txt") } catch (error) { console.log(error.code) }',
  })
  const js = jsOf({ permissions: false })
  const code = attempts('fs.readFileSync("a.txt", "utf8")', 'fs.writeFileSync("b.txt", "b")', 'execSync("true")')
  const denied = 'ERR_ACCESS_DENIED'
  const [read, none, imported, own] = await Promise.all([
    js.run({ code, grants: { fs: 'read' } }),
    js.run({ code, grants: { fs: 'none' } }),
    js.run({ code: 'import { n } from "./dep.mjs"; export default n', grants: { fs: 'read' } }),
    js.run({ entry: 'own.mjs', grants: { fs: 'none' } }),
  ])
  expect(read).toMatchObject({ stderr: '', result: ['a', denied, denied] })
  expect(none).toMatchObject({ stderr: '', result: [denied, denied, denied] })
  expect(imported).toMatchObject({ stderr: '', result: 7 })
  expect(own).toMatchObject({ stderr: '', stdout: `${denied}\n` })
  const open = jsOf({ permissions: { childProcesses: true, write: [outside] } })
  const both = attempts('execSync("true")', `fs.writeFileSync("${outside}/d.txt", "d")`)
  expect((await open.run({ code: both, grants: { fs: 'read' } })).result).toEqual([denied, denied])
})

it('invokeTool sends and receives JSON, in parallel, and the program waits only for its answers', async () => {
  const seen: unknown[] = []
  const invokeTool = async (name: string, input: unknown): Promise<unknown> => {
    seen.push([name, input])
    return name === 'nothing' ? undefined : { name, input }
  }
  const code = `console.log(JSON.stringify(await invokeTool('echo', { text: 'é'.repeat(100000) })).length)
    const all = await Promise.all(Array.from({ length: 50 }, (_, i) => invokeTool('n', i)))
    export default [all.map(({ input }) => input), await invokeTool('nothing') ?? 'undefined', typeof invokeTool]`
  const result = await run({ code, grants: { invokeTool } })
  const numbers = Array.from({ length: 50 }, (_, i) => i)
  expect(result).toMatchObject({ exitCode: 0, stdout: '100035\n', stderr: '', result: [numbers, 'undefined', 'function'] })
  expect(seen).toHaveLength(52)
  expect(seen.at(-1)).toEqual(['nothing', undefined])
})

it('invokeTool rejects with the tool’s error code, and for values that are not JSON or too large', async () => {
  const invokeTool = async (name: string): Promise<unknown> => {
    if (name === 'cycle') {
      const cycle: { self?: unknown } = {}
      cycle.self = cycle
      return cycle
    }
    if (name === 'huge') return 'x'.repeat(20_000_000)
    if (name === 'string') throw 'only text'
    throw Object.assign(new RangeError('no such'), { code: 'ENOENT' })
  }
  const code = `const outcome = (...args) => invokeTool(...args).then((value) => value, ({ name, code, message }) => [name, code, message.slice(0, 25)])
    const cycle = {}; cycle.self = cycle
    export default [await outcome('bad'), await outcome('string'), (await outcome('cycle'))[0], (await outcome('huge'))[0],
      (await outcome('x', cycle))[0], (await outcome('x', 1n))[0], (await outcome('x', 'y'.repeat(20000000)))[0], (await outcome(7))[0]]`
  expect(await run({ code, grants: { invokeTool } })).toMatchObject({
    stderr: '',
    result: [
      ['RangeError', 'ENOENT', 'no such'],
      ['Error', null, 'only text'],
      'TypeError',
      'RangeError',
      'TypeError',
      'TypeError',
      'RangeError',
      'TypeError',
    ],
  })
})

it('a running tool call is cancelled when its program ends', async () => {
  const js = jsOf()
  for (const [code, end] of [
    ['void invokeTool("slow"); await invokeTool("begun"); process.exit(3)', { exitCode: 3 }],
    ['await invokeTool("slow")', { exitCode: null, timedOut: true }],
  ] as const) {
    let cancelled: Promise<void> | undefined
    const invokeTool = async (name: string, _: unknown, { signal }: { readonly signal: AbortSignal }): Promise<unknown> => {
      if (name === 'begun') return 'begun'
      cancelled = new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
      return cancelled
    }
    const result = await withGrowingTime(
      (timeoutMs) => js.run({ code, grants: { invokeTool }, ...('timedOut' in end && { timeoutMs }) }),
      () => cancelled !== undefined,
    )
    expect(result).toMatchObject(end)
    await cancelled
  }
})

it('invokeTool is undefined without the grant, and a forged call is ignored', async () => {
  const code = `import { writeSync } from 'node:fs'; writeSync(3, '{"call":1,"name":"x"}\\n'); export default typeof invokeTool`
  expect((await run({ code })).result).toBe('undefined')
})
