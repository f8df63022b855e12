// @module-tag package
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { exports: Record<string, { default: string } | string> }
const entries = Object.entries(exports).flatMap(([name, entry]) =>
  typeof entry === 'string' || !entry.default.endsWith('.js') ? [] : [[name, entry.default] as const],
)

/** Exports that the test does not call, because they use the process's streams or a worker's global scope. */
const NOT_CALLED = /^serve/
const FIRST = [[], [{}], ['text'], [42]]
/** Error messages of an engine when code trusts its input. */
const ACCIDENT =
  /Cannot (?:read|set) propert|Cannot destructure|is not a function|is not iterable|undefined or null to object|weak map|'in' operator/

it.each(entries)('exports of %s name the expected arguments when they are called with wrong ones', async (_, path) => {
  const all = (await import(`${root}${path}`)) as Record<string, unknown>
  const accidents: string[] = []
  for (const [name, called] of Object.entries(all)) {
    if (typeof called !== 'function' || /^[A-Z]/.test(name) || NOT_CALLED.test(name)) continue
    for (const args of FIRST) {
      try {
        const made: unknown = await called(...args)
        await (made as { dispose?: () => Promise<void> } | undefined)?.dispose?.()
      } catch (error) {
        const { message } = error as Error
        if (ACCIDENT.test(message)) accidents.push(`${name}(${JSON.stringify(args).slice(1, -1)}): ${message}`)
      }
    }
  }
  expect(accidents).toEqual([])
})
