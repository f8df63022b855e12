import type { ShellAdapter } from '../../src/types/shell.js'
import type { Workspace } from '../../src/types/workspace.js'
import type { CaseGroup } from './case-group.js'
import { ContractError, same, type TestRunner } from './runner.js'
import { seed } from './shell/case.js'

/** A shell and the workspace whose tree it sees. */
export interface ShellUnderTest {
  readonly shell: ShellAdapter
  readonly workspace: Workspace
}

/** Options of `shellContract` and `sessionContract`. */
export interface ShellSuiteOptions<Part extends string> {
  /** The name of the suite. */
  readonly name: string
  /** Makes a new shell of dialect bash over a new, empty workspace on a real host for each case. The suite writes its own files. */
  create(): ShellUnderTest | Promise<ShellUnderTest>
  /** Optional parts that the adapter lacks. The suite omits their cases, and one case checks that this list is exact. */
  readonly without?: readonly Part[]
  /** Maps the title of a case that the adapter cannot pass to the reason. The suite runs the case and expects a failure. */
  readonly except?: Readonly<Record<string, string>>
  /** Cleans up after each case, even after a failure. Default: closes the shell, then the workspace. */
  dispose?(made: ShellUnderTest): void | Promise<void>
}

export interface ShellSuite<Part extends string, Case> {
  readonly kind: string
  readonly groups: readonly CaseGroup<Part, Case>[]
  /** The parts that the shell lacks, sorted. */
  missingParts(made: ShellUnderTest): Part[] | Promise<Part[]>
  /** Runs one case over a workspace that holds the seed. */
  run(test: Case, made: ShellUnderTest): Promise<void>
}

function selectCases<Part extends string, Case>(groups: readonly CaseGroup<Part, Case>[], without: readonly Part[]): Map<string, Case> {
  const selected = new Map<string, Case>()
  for (const { needs = [], lacks = [], cases } of groups) {
    if (needs.some((part) => without.includes(part)) || !lacks.every((part) => without.includes(part))) continue
    for (const [title, test] of Object.entries(cases)) {
      if (selected.has(title)) throw new ContractError(`Two cases have the title "${title}"`)
      selected.set(title, test)
    }
  }
  return selected
}

async function isMet(run: () => Promise<void>): Promise<boolean> {
  try {
    await run()
    return true
  } catch {
    // The reason for the failure is in the option `except`.
    return false
  }
}

async function close({ shell, workspace }: ShellUnderTest): Promise<void> {
  await shell.close?.()
  await workspace.close()
}

/** Registers the cases of a suite with a test framework. */
export function registerShellSuite<Part extends string, Case>(
  runner: TestRunner,
  { kind, groups, missingParts, run }: ShellSuite<Part, Case>,
  { name, create, without = [], except = {}, dispose = close }: ShellSuiteOptions<Part>,
): void {
  const withShell = async (body: (made: ShellUnderTest) => Promise<void>): Promise<void> => {
    const made = await create()
    try {
      await body(made)
    } finally {
      await dispose(made)
    }
  }
  /** Writes the seed outside of the case, so that a failure to write the seed does not count as the expected failure. */
  const onStage = (body: (made: ShellUnderTest) => Promise<void>): Promise<void> =>
    withShell(async (made) => {
      await seed(made.workspace)
      await body(made)
    })
  const cases = selectCases(groups, without)
  runner.describe(`${kind} contract: ${name}`, () => {
    runner.it('lacks exactly the optional parts that it is said to lack', () =>
      withShell(async (made) => same(await missingParts(made), [...without].sort(), 'the missing parts')),
    )
    runner.it('every exception names a case', () => {
      const unknown = Object.keys(except).filter((title) => !cases.has(title))
      same(unknown, [], 'exceptions that name no case')
    })
    for (const [title, test] of cases) {
      if (!Object.hasOwn(except, title)) {
        runner.it(title, () => onStage((made) => run(test, made)))
        continue
      }
      runner.it(`${title} (excepted: ${except[title]})`, () =>
        onStage(async (made) => {
          if (await isMet(() => run(test, made))) throw new ContractError(`The exception "${title}" is met: remove it`)
        }),
      )
    }
  })
}
