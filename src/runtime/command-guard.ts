import { shorten } from '../core/field-path.js'
import { PolicyError } from '../errors/index.js'
import type { CommandRequest, RuntimePolicy } from '../types/runtime.js'
import type { ShellAdapter, ShellExecOptions } from '../types/shell.js'
import { askUntilStopped, notApproved, untilStopped } from './approval.js'

type CommandPolicy = NonNullable<RuntimePolicy['commands']>

/** The call that runs commands. Its signal is costly, so it is asked for when a command comes. */
interface GuardedCall {
  readonly id: string
  readonly tool: string
  readonly input: unknown
  readonly scope: { readonly signal: AbortSignal }
}

interface Deciders {
  readonly commands: CommandPolicy
  readonly approve: RuntimePolicy['approve']
  readonly onApproval: (approved: boolean) => void
  /** Told to the host: what is wrong with the policy itself. */
  readonly onProblem: (message: string) => void
}

interface Verdict {
  readonly action: 'allow' | 'deny' | 'ask'
  readonly reason?: string
}

const RULE = 'commands'
const LONGEST_COMMAND = 100
const NO_VERDICT: Verdict = { action: 'deny', reason: 'the command policy of the host gave no answer' }

/** The shell port of one call, where there is a command policy: the adapter sees only commands that may run. */
export function guardShell(shell: ShellAdapter, call: GuardedCall, deciders: Deciders): ShellAdapter {
  const { spawn } = shell
  return {
    name: shell.name,
    can: shell.can,
    async exec(command, given) {
      // A copy: what was decided about is what runs.
      const options = { ...given }
      await admit(command, options, call, deciders)
      return shell.exec(command, options)
    },
    ...(spawn && {
      async spawn(command, given) {
        const options = { ...given }
        await admit(command, options, call, deciders)
        return spawn.call(shell, command, options)
      },
    }),
  }
}

/** @throws PolicyError command_blocked, approval_required */
async function admit(
  command: string,
  { cwd, env, stdin, signal: own }: Pick<ShellExecOptions, 'cwd' | 'env' | 'stdin' | 'signal'>,
  { id, tool, input, scope }: GuardedCall,
  { commands, approve, onApproval, onProblem }: Deciders,
): Promise<void> {
  const signal = own && own !== scope.signal ? AbortSignal.any([own, scope.signal]) : scope.signal
  const request: CommandRequest = { callId: id, tool, command, cwd, env, stdin, signal }
  const { action, reason } = await untilStopped(signal, () => decide(commands, request, onProblem), NO_VERDICT)
  if (action === 'allow') return
  const shown = shorten(command, LONGEST_COMMAND)
  if (action === 'deny')
    throw new PolicyError('command_blocked', `Cannot run "${shown}": ${reason ?? 'a rule of the host forbids it'}`, RULE, reason)
  const approved = await askUntilStopped(approve, { callId: id, tool, input, command, signal, ...(reason !== undefined && { reason }) })
  onApproval(approved)
  if (!approved) throw notApproved(shown, RULE, reason, approve !== undefined)
}

/** A policy that fails, or answers what is no verdict, denies. Never rejects. */
async function decide(commands: CommandPolicy, request: CommandRequest, onProblem: Deciders['onProblem']): Promise<Verdict> {
  try {
    return readVerdict(await commands(request))
  } catch (error) {
    onProblem(`The command policy failed: ${error instanceof Error ? error.message : typeof error}`)
    return NO_VERDICT
  }
}

/** @throws TypeError for what is no verdict */
function readVerdict(answer: unknown): Verdict {
  const { action, reason } = typeof answer === 'object' && answer !== null ? (answer as Partial<Verdict>) : { action: answer }
  const known = action === 'allow' || action === 'deny' || action === 'ask'
  if (known && reason === undefined) return { action }
  if (known && typeof reason === 'string') return { action, reason }
  throw new TypeError(`it answered ${JSON.stringify(answer)}, which is no verdict`)
}
