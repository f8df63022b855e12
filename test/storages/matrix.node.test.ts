// @module-tag same-bytes
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { titlesOf } from '../../scripts/test-files.mjs'
import { fsCases } from '../contract/fs.js'
import { partsWithout } from './declared/declared.js'
import { DECLARED } from './declared/index.js'
import { page, summary } from './matrix.js'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const read = (test: string): string => readFileSync(here(`../${test}`), 'utf8')

/** Tests the contract itself, with storages that are broken on purpose. */
const ABOUT_THE_SUITE = 'adapters/fs-contract.node.test.ts'

const contractTests = readdirSync(here('..'), { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.test.ts') && name !== ABOUT_THE_SUITE && /^\s*fsContract\(/m.test(read(name)))
  .sort()

describe('the matrix of storages and contract cases', () => {
  it('lists exactly the tests that run the contract', () => {
    expect(DECLARED.flatMap(({ tests }) => tests).sort()).toEqual(contractTests)
  })

  it('takes parts and exceptions from the declaration only', () => {
    for (const { name, tests } of DECLARED) {
      for (const test of tests) {
        const text = read(test)
        const calls = text.match(/^\s*fsContract\(/gm)?.length
        const told = [...text.matchAll(/\.\.\.contractOf\((\w+)\)/g)].map(([, declared]) => declared)
        expect(told, test).toHaveLength(calls ?? 0)
        expect(text, test).not.toMatch(/^ *(without|except)[,:]/m)
        const files = [...text.matchAll(/import \{ (?:\w+ as )?(\w+) \} from '(\.\.\/storages\/declared\/[\w-]+)\.js'/g)]
        for (const declared of told) {
          const file = files.find(([, imported]) => imported === declared)?.[2]
          expect(readFileSync(here(`../${posix.join('adapters', file ?? 'nowhere')}.ts`), 'utf8'), test).toContain(`name: '${name}'`)
        }
      }
    }
  })

  it('has exceptions that name existing cases, with reasons', () => {
    for (const storage of DECLARED) {
      const titles = new Set([...fsCases(partsWithout(storage)).values()].flatMap((section) => [...section.keys()]))
      for (const [title, why] of Object.entries(storage.except ?? {})) {
        expect(titles, storage.name).toContain(title)
        expect(why.length, title).toBeGreaterThan(10)
      }
      for (const why of Object.values(storage.without ?? {})) expect(why.length, storage.name).toBeGreaterThan(10)
    }
  })

  it('derives the runtimes of a test from its name', () => {
    expect(titlesOf('adapters/memory.everywhere.test.ts')).toEqual(['Node', 'Chromium', 'workerd'])
    expect(titlesOf('adapters/opfs.chromium.test.ts')).toEqual(['Chromium'])
  })

  it('shows the same counts in docs/storages.md', () => {
    const lines = page().split('\n')
    const all = summary()
      .split('\n')
      .find((line) => line.startsWith('| **all**'))
    DECLARED.forEach((storage, i) => {
      const marks = lines
        .filter((line) => line.startsWith('| ') && !line.startsWith('| case'))
        .map((line) => line.split(/(?<!\\)\|/).map((each) => each.trim()))
      const of = (mark: string): number => marks.filter((cells) => cells.length === DECLARED.length + 3 && cells[i + 2] === mark).length
      const [met, not] = [of('✓'), of('✗')]
      expect(all?.split('|')[i + 2]?.trim(), storage.name).toBe(`**${not === 0 ? met : `${met} of ${met + not}`}**`)
    })
  })

  it('is up to date in docs/storages.md and docs/contract.md', () => {
    expect(existsSync(here('../../docs/contract.md'))).toBe(true)
    expect(() => execFileSync(process.execPath, [here('../../scripts/matrix.mjs'), '--check'], { stdio: 'pipe' })).not.toThrow()
  })
})
