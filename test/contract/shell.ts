import type { ShellAdapter } from '../../src/types/shell.js'
import { checkContract, type TestRunner } from './runner.js'
import { FALLBACK_MS, type ShellCase, type ShellCaseGroup, type ShellPart } from './shell/case.js'
import { closingGroups } from './shell/closing.js'
import { commandCases } from './shell/commands.js'
import { cwdCases, envCases, executingCases } from './shell/executing.js'
import { processGroups } from './shell/processes.js'
import { stoppingCases } from './shell/stopping.js'
import { cuttingCases, streamingCases } from './shell/streaming.js'
import { treeCases } from './shell/tree.js'
import { registerShellSuite, type ShellSuiteOptions } from './shell-suite.js'

/** Options of `shellContract`. */
export type ShellContractOptions = ShellSuiteOptions<ShellPart>

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

async function missingParts(shell: ShellAdapter): Promise<ShellPart[]> {
  const missing: ShellPart[] = []
  if (!shell.close) missing.push('close')
  if (!shell.can.hardKill || !(await hasNumbers(shell))) missing.push('processes')
  return missing
}

/** Returns false if `spawn` returns no `pid`: a virtual shell may have `can.hardKill` without real processes. */
async function hasNumbers(shell: ShellAdapter): Promise<boolean> {
  const process = await shell.spawn?.('true')
  await process?.exited
  return !process || process.pid !== undefined
}

/** Registers the cases that every bash `ShellAdapter` must pass. */
export function shellContract(runner: TestRunner, options: ShellContractOptions): void {
  checkContract('shellContract', runner, options)
  registerShellSuite<ShellPart, ShellCase>(
    runner,
    {
      kind: 'shell',
      groups: GROUPS,
      missingParts: ({ shell }) => missingParts(shell),
      run: (test, { shell, workspace }) =>
        test({ shell, workspace, run: (command, given) => shell.exec(command, { timeoutMs: FALLBACK_MS, ...given }) }),
    },
    options,
  )
}
