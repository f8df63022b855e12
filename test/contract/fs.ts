import type { FsAdapter } from '../../src/types/fs.js'
import { appendGroups } from './fs/appending.js'
import type { FsCase, FsCaseGroup, FsPart, FullFs } from './fs/case.js'
import { closingGroups } from './fs/closing.js'
import { concurrencyCases } from './fs/concurrency.js'
import { copyGroups } from './fs/copying.js'
import { directoryCases } from './fs/directories.js'
import { faultCases } from './fs/faults.js'
import { metaGroups } from './fs/meta.js'
import { namingCases } from './fs/names.js'
import { readCases } from './fs/reading.js'
import { rmTreeGroups } from './fs/removing-trees.js'
import { renameCases } from './fs/renaming.js'
import { symlinkGroups } from './fs/symlinks.js'
import { usageGroups } from './fs/usage.js'
import { writeCases } from './fs/writing.js'
import { ContractError, checkContract, same, type TestRunner } from './runner.js'

/** Options of `fsContract`. */
export interface FsContractOptions {
  /** The name of the suite. */
  readonly name: string
  /** Makes a new, empty adapter for each case. */
  create(): FsAdapter | Promise<FsAdapter>
  /** Optional parts that the adapter lacks. The suite omits their cases, and one case checks that this list is exact. */
  readonly without?: readonly FsPart[]
  /** Maps the title of a case that the adapter cannot pass to the reason. The suite runs the case and expects a failure. */
  readonly except?: Readonly<Record<string, string>>
  /** Cleans up after each case, even after a failure. Default: `close()`. */
  dispose?(fs: FsAdapter): void | Promise<void>
}

const SECTIONS: Readonly<Record<string, readonly FsCaseGroup[]>> = {
  writing: [{ cases: writeCases }],
  reading: [{ cases: readCases }],
  directories: [{ cases: directoryCases }],
  renaming: [{ cases: renameCases }],
  names: [{ cases: namingCases }],
  'many at once': [{ cases: concurrencyCases }],
  'bytes, errors, capabilities': [{ cases: faultCases }],
  closing: closingGroups,
  symlinks: symlinkGroups,
  append: appendGroups,
  copy: copyGroups,
  rmTree: rmTreeGroups,
  'mode and time': metaGroups,
  usage: usageGroups,
}

/** Returns section -> title -> case. Omits sections that are empty for an adapter without these parts. */
export function fsCases(without: readonly FsPart[] = []): ReadonlyMap<string, ReadonlyMap<string, FsCase>> {
  const titles = new Set<string>()
  const sections = new Map<string, ReadonlyMap<string, FsCase>>()
  for (const [section, groups] of Object.entries(SECTIONS)) {
    const selected = new Map<string, FsCase>()
    for (const { needs = [], lacks = [], cases } of groups) {
      if (needs.some((part) => without.includes(part)) || !lacks.every((part) => without.includes(part))) continue
      for (const [title, run] of Object.entries(cases)) {
        if (titles.has(title)) throw new ContractError(`Two cases have the title "${title}"`)
        titles.add(title)
        selected.set(title, run)
      }
    }
    if (selected.size > 0) sections.set(section, selected)
  }
  return sections
}

function missingParts(fs: FsAdapter): FsPart[] {
  const missing: FsPart[] = []
  if (!fs.symlink || !fs.readlink) missing.push('symlink')
  for (const method of ['append', 'copy', 'rmTree', 'setMeta', 'usage'] as const) if (!fs[method]) missing.push(method)
  if (!fs.can.mode) missing.push('mode')
  return missing.sort()
}

async function isMet(run: FsCase, fs: FullFs): Promise<boolean> {
  try {
    await run(fs)
    return true
  } catch {
    // The reason for the failure is in the option `except`.
    return false
  }
}

/** Registers the cases that every `FsAdapter` must pass. */
export function fsContract(runner: TestRunner, options: FsContractOptions): void {
  checkContract('fsContract', runner, options)
  const { name, create, without = [], except = {}, dispose = (fs) => fs.close() } = options
  const withAdapter = async (body: FsCase): Promise<void> => {
    const fs = await create()
    try {
      // Cases of missing parts were omitted, so the missing methods are never called.
      await body(fs as FullFs)
    } finally {
      await dispose(fs)
    }
  }
  const cases = new Map([...fsCases(without).values()].flatMap((section) => [...section]))
  runner.describe(`fs contract: ${name}`, () => {
    runner.it('lacks exactly the optional parts that it is said to lack', () =>
      withAdapter(async (fs) => same(missingParts(fs), [...without].sort(), 'the missing parts')),
    )
    runner.it('every exception names a case', () => {
      const unknown = Object.keys(except).filter((title) => !cases.has(title))
      same(unknown, [], 'exceptions that name no case')
    })
    for (const [title, run] of cases) {
      if (!Object.hasOwn(except, title)) {
        runner.it(title, () => withAdapter(run))
        continue
      }
      runner.it(`${title} (excepted: ${except[title]})`, () =>
        withAdapter(async (fs) => {
          if (await isMet(run, fs)) throw new ContractError(`The exception "${title}" is met: remove it`)
        }),
      )
    }
  })
}
