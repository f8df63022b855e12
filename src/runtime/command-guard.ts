import { shorten } from '../core/field-path.js'
import { PolicyError } from '../errors/index.js'
import type { CommandRequest, RuntimePolicy } from '../types/runtime.js'
import type { ShellAdapter, ShellExecOptions } from '../types/shell.js'
import { askUntilStopped, notApproved, untilStopped } from './ask-approval.js'

type CommandPolicy = NonNullable<RuntimePolicy['commands']>

/** The call that runs commands. The guard reads its `signal` only for a command, because creating a signal is expensive. */
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
  /** Called with problems of the policy itself. */
  readonly onProblem: (message: string) => void
}

interface Verdict {
  readonly action: 'allow' | 'deny' | 'ask'
  readonly reason?: string
}

const RULE = 'commands'
const LONGEST_COMMAND = 100
const NO_VERDICT: Verdict = { action: 'deny', reason: 'the command policy of the host did not answer' }

type Variables = Readonly<Record<string, string>>

/** Variables that each shell reported last. If a caller passes these back, it overrides nothing. */
const reported = new WeakMap<ShellAdapter, Variables>()

/** Creates the shell port for one call with a command policy. The adapter receives only commands that the policy allows. */
export function guardShell(shell: ShellAdapter, call: GuardedCall, deciders: Deciders): ShellAdapter {
  const { spawn } = shell
  const admitted = <Options extends AdmitOptions>(command: string, given: Options | undefined): Promise<Options> =>
    admit(command, given, call, { ...deciders, own: reported.get(shell) ?? {} })
  return {
    name: shell.name,
    // Some capabilities are known only after the shell is opened.
    get can() {
      return shell.can
    },
    exec: async (command, given) => {
      const result = await shell.exec(command, await admitted(command, given))
      reported.set(shell, result.env)
      return result
    },
    ...(spawn && { spawn: async (command, given) => spawn.call(shell, command, await admitted(command, given)) }),
  }
}

type AdmitOptions = Pick<ShellExecOptions, 'cwd' | 'env' | 'stdin' | 'signal'>

/**
 * Returns a copy of the options for `command`, so that the shell runs exactly what the policy has judged.
 * @throws PolicyError command_blocked, approval_required; TypeError if the command is not a string
 */
async function admit<Options extends AdmitOptions>(
  command: string,
  given: Options | undefined,
  { id, tool, input, scope }: GuardedCall,
  { commands, approve, onApproval, onProblem, own }: Deciders & { readonly own: Variables },
): Promise<Options> {
  if (typeof command !== 'string') throw new TypeError('Cannot run the command: it is not a string')
  const options = { ...given, env: Object.freeze({ ...given?.env }) } as Options
  const { cwd, env = {}, stdin, signal: caller } = options
  const signal = caller ? AbortSignal.any([caller, scope.signal]) : scope.signal
  const wished = Object.freeze(Object.fromEntries(Object.entries(env).filter(([name, value]) => own[name] !== value)))
  const request: CommandRequest = { callId: id, tool, command, cwd, env: wished, stdin, signal }
  const { action, reason } = await untilStopped(signal, () => decide(commands, request, onProblem), NO_VERDICT)
  if (action === 'allow') return options
  const shown = shorten(command, LONGEST_COMMAND)
  if (action === 'deny')
    throw new PolicyError('command_blocked', `Cannot run "${shown}": ${reason ?? 'a rule of the host forbids it'}`, RULE, reason)
  const approved = await askUntilStopped(approve, { callId: id, tool, input, command, signal, reason })
  onApproval(approved)
  if (!approved) throw notApproved(shown, RULE, reason, approve !== undefined)
  return options
}

/** Asks the policy about a command. If the policy throws or returns an invalid verdict, denies the command. Never rejects. */
async function decide(commands: CommandPolicy, request: CommandRequest, onProblem: Deciders['onProblem']): Promise<Verdict> {
  try {
    const answer: unknown = await commands(request)
    const { action, reason } = Object(answer) === answer ? (answer as Partial<Verdict>) : { action: answer }
    const known = action === 'allow' || action === 'deny' || action === 'ask'
    if (known && (reason === undefined || typeof reason === 'string')) return { action, reason }
    throw new TypeError(`it answered ${JSON.stringify(answer)}, which is not a verdict`)
  } catch (error) {
    onProblem(`The command policy failed: ${error instanceof Error ? error.message : typeof error}`)
    return NO_VERDICT
  }
}
