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
import { checkContract, type TestRunner } from './runner.js'
import { registerSuite, type SuiteOptions, selectCases } from './suite.js'

/** Options of `fsContract`. */
export interface FsContractOptions extends SuiteOptions<FsAdapter, FsPart> {
  /** Makes a new, empty adapter for each case. */
  create(): FsAdapter | Promise<FsAdapter>
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
    const selected = selectCases(groups, without, titles)
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

/** Registers the cases that every `FsAdapter` must pass. */
export function fsContract(runner: TestRunner, options: FsContractOptions): void {
  checkContract('fsContract', runner, options)
  registerSuite<FsAdapter, FsPart, FsCase>(
    runner,
    {
      kind: 'fs',
      cases: new Map([...fsCases(options.without).values()].flatMap((section) => [...section])),
      missingParts,
      // Cases of missing parts were omitted, so the missing methods are never called.
      run: (test, fs) => test(fs as FullFs),
      dispose: (fs) => fs.close(),
    },
    options,
  )
}
