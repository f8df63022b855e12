// @module-tag quickjs
import { createRequire } from 'node:module'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createTestWorkspace } from 'toolport/testing'
import { expect, it } from 'vitest'

/** A program that collects the names of all functions, by module and export, and of globals. */
const LIST = `
const { builtinModules } = require('module')
const found = {}
const look = (prefix, exports) => {
  if (exports === null || (typeof exports !== 'object' && typeof exports !== 'function')) return
  for (const key of Object.getOwnPropertyNames(exports)) {
    if (/^(_|prototype$|caller$|arguments$|constructor$)/.test(key)) continue
    let value
    try { value = exports[key] } catch { continue }
    if (typeof value === 'function') found[prefix + '.' + key] = [value.name, /^[A-Z]/.test(key) || /^class[ {]/.test(Function.prototype.toString.call(value))]
  }
}
for (const name of NAMES) { try { look(name, require(name)) } catch {} }
look('globalThis', globalThis)
for (const [name, made] of Object.entries({ timeout: setTimeout(() => {}), immediate: setImmediate(() => {}), console, process, signal: new AbortController().signal })) found['made.' + name] = [made.constructor.name, name !== 'console' && name !== 'process']
`
const MODULES = createRequire(import.meta.url)('node:module').builtinModules.filter((name: string) => !/^(_|internal)/.test(name))

it('quickjs names classes of modules like Node', async () => {
  const { workspace } = createTestWorkspace()
  const js = createQuickJs({ worker: false })(workspace)
  const list = LIST.replace('NAMES', JSON.stringify(MODULES))
  const { stdout, stderr } = await js.run({ code: `${list}\nconsole.log(JSON.stringify(found))`, format: 'commonjs', timeoutMs: 60_000 })
  expect(stderr).toBe('')
  const here = new Function('require', `${list}\nreturn found`)(createRequire(import.meta.url)) as Record<string, [string, boolean]>
  const classes = Object.entries(JSON.parse(stdout) as Record<string, [string, boolean]>).filter(
    ([key, [, isClass]]) => isClass && here[key],
  )
  expect(classes.length).toBeGreaterThan(50)
  expect(Object.fromEntries(classes.map(([key, [name]]) => [key, name]))).toEqual(
    Object.fromEntries(classes.map(([key]) => [key, here[key]?.[0]])),
  )
  await js.close?.()
})
