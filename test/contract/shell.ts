import type { ShellAdapter } from '../../src/types/shell.js'
import type { Workspace } from '../../src/types/workspace.js'
import { ContractError, same, type TestRunner } from './runner.js'
import { FALLBACK_MS, type ShellCase, type ShellCaseGroup, type ShellPart, seed } from './shell/case.js'
import { closingGroups } from './shell/closing.js'
import { commandCases } from './shell/commands.js'
import { cwdCases, envCases, executingCases } from './shell/executing.js'
import { processGroups } from './shell/processes.js'
import { stoppingCases } from './shell/stopping.js'
import { cuttingCases, streamingCases } from './shell/streaming.js'
import { treeCases } from './shell/tree.js'

/** A shell and the workspace whose tree it sees. */
export interface ShellUnderTest {
  readonly shell: ShellAdapter
  readonly workspace: Workspace
}

export interface ShellContractOptions {
  /** Names the suite. */
  readonly name: string
  /** A new shell of dialect bash over a new, empty workspace on a real host; one for each case. The suite writes its own files. */
  create(): ShellUnderTest | Promise<ShellUnderTest>
  /** Optional parts that the adapter does not have. Their cases are left out, and one case checks that this list is exact. */
  readonly without?: readonly ShellPart[]
  /** Title of a case -> why this adapter cannot meet it. It is run and must fail. */
  readonly except?: Readonly<Record<string, string>>
  /** Cleans up after a case, also after one that failed. Default: closes the shell, then the workspace. */
  dispose?(made: ShellUnderTest): void | Promise<void>
}

const GROUPS: readonly ShellCaseGroup[] = [
  ...commandCases.map((cases) => ({ cases })),
  { cases: executingCases },
  { cases: cwdCases },
  { cases: envCases },
  { cases: streamingCases },
  { cases: cuttingCases },
  { cases: stoppingCases },
  { cases: treeCases },
  ...closingGroups,
  ...processGroups,
]

function selectCases(without: readonly ShellPart[]): Map<string, ShellCase> {
  const selected = new Map<string, ShellCase>()
  for (const { needs = [], cases } of GROUPS) {
    if (needs.some((part) => without.includes(part))) continue
    for (const [title, run] of Object.entries(cases)) {
      if (selected.has(title)) throw new ContractError(`Two cases have the title "${title}"`)
      selected.set(title, run)
    }
  }
  return selected
}

function missingParts(shell: ShellAdapter): ShellPart[] {
  const missing: ShellPart[] = []
  if (!shell.close) missing.push('close')
  if (!shell.can.hardKill) missing.push('processes')
  return missing
}

async function isMet(run: () => Promise<void>): Promise<boolean> {
  try {
    await run()
    return true
  } catch {
    // Why it fails is said by the exception's reason.
    return false
  }
}

async function close({ shell, workspace }: ShellUnderTest): Promise<void> {
  await shell.close?.()
  await workspace.close()
}

/** Registers the cases that every `ShellAdapter` of dialect bash must meet. */
export function shellContract(runner: TestRunner, options: ShellContractOptions): void {
  const { name, create, without = [], except = {}, dispose = close } = options
  const withShell = async (body: (made: ShellUnderTest) => Promise<void>): Promise<void> => {
    const made = await create()
    try {
      await body(made)
    } finally {
      await dispose(made)
    }
  }
  /** The seed is not part of the case: an exception does not hold because it could not be written. */
  const onStage = (body: (run: (test: ShellCase) => Promise<void>) => Promise<void>): Promise<void> =>
    withShell(async ({ shell, workspace }) => {
      await seed(workspace)
      await body((test) => test({ shell, workspace, run: (command, given) => shell.exec(command, { timeoutMs: FALLBACK_MS, ...given }) }))
    })
  const cases = selectCases(without)
  runner.describe(`shell contract: ${name}`, () => {
    runner.it('lacks exactly the optional parts that it is said to lack', () =>
      withShell(async ({ shell }) => same(missingParts(shell), [...without].sort(), 'the missing parts')),
    )
    runner.it('every exception names a case', () => {
      const unknown = Object.keys(except).filter((title) => !cases.has(title))
      same(unknown, [], 'exceptions that name no case')
    })
    for (const [title, test] of cases) {
      if (!Object.hasOwn(except, title)) {
        runner.it(title, () => onStage((run) => run(test)))
        continue
      }
      runner.it(`${title} (excepted: ${except[title]})`, () =>
        onStage(async (run) => {
          if (await isMet(() => run(test))) throw new ContractError(`The exception "${title}" is met: remove it`)
        }),
      )
    }
  })
}
