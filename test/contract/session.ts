import type { ShellAdapter } from '../../src/types/shell.js'
import { ContractError, checkContract, type TestRunner } from './runner.js'
import { type SessionCase, type SessionCaseGroup, type SessionPart, type SpawningShell, startSession, within } from './session/case.js'
import { closingGroups } from './session/closing.js'
import { endingCases } from './session/ending.js'
import { inputGroups } from './session/input.js'
import { outputGroups } from './session/output.js'
import { processGroups } from './session/processes.js'
import { stateGroups } from './session/state.js'
import { terminalGroups } from './session/terminal.js'
import { FALLBACK_MS } from './shell/case.js'
import { registerShellSuite, type ShellSuiteOptions, type ShellUnderTest } from './shell-suite.js'

/** Options of `sessionContract`. */
export type SessionContractOptions = ShellSuiteOptions<SessionPart>

const GROUPS: readonly SessionCaseGroup[] = [
  ...outputGroups,
  ...inputGroups,
  { cases: endingCases },
  ...processGroups,
  ...terminalGroups,
  ...closingGroups,
  ...stateGroups,
]

function spawning(shell: ShellAdapter): SpawningShell {
  if (!shell.spawn) throw new ContractError(`The shell "${shell.name}" has no spawn`)
  return shell as SpawningShell
}

async function missingParts(shell: SpawningShell): Promise<SessionPart[]> {
  // After `open`, `can` tells whether the shell has terminals.
  await shell.open?.()
  const { pid, exited } = await shell.spawn('true')
  await exited
  const missing: SessionPart[] = []
  if (!shell.close) missing.push('close')
  if (pid === undefined) missing.push('processes')
  if (!shell.can.pty) missing.push('pty')
  if (!shell.can.separateStderr) missing.push('separateStderr')
  if ((await shell.exec('x=1')).state === undefined) missing.push('state')
  return missing
}

/** Runs one case, and ends the sessions that the case leaves running. */
async function run(test: SessionCase, { shell: given, workspace }: ShellUnderTest): Promise<void> {
  const shell = spawning(given)
  const over = new AbortController()
  try {
    await test({
      shell,
      workspace,
      run: (command, options) => shell.exec(command, { timeoutMs: FALLBACK_MS, ...options }),
      start: async (command, options) => {
        const running = await startSession({ shell, workspace }, command, options)
        over.signal.addEventListener('abort', () => void running.process.kill('SIGKILL').catch(() => {}))
        return running
      },
      within: (promise, what) => within(workspace.host, promise, what),
    })
  } finally {
    over.abort()
  }
}

/** Registers the cases that every bash `ShellAdapter` with `spawn` must pass: sessions, and the `state` that commands pass on. */
export function sessionContract(runner: TestRunner, options: SessionContractOptions): void {
  checkContract('sessionContract', runner, options)
  registerShellSuite<SessionPart, SessionCase>(
    runner,
    { kind: 'session', groups: GROUPS, missingParts: ({ shell }) => missingParts(spawning(shell)), run },
    options,
  )
}
