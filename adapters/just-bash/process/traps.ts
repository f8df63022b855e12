import type { CommandNode, CommandResult, Context, StatementNode } from '../library-types.js'
import { commandLine } from '../syntax/print-function.js'
import { deliver } from './frames.js'
import type { Pending } from './process.js'
import { randomOf } from './random.js'
import type { Running } from './running.js'
import { evaluate, prependTo, resultOf, setStatus } from './scripts.js'
import { inOrder } from './several-names.js'
import { type SignalName, signalNamed, signalNumber, signalTable, statusOf } from './signals.js'

/** Trap events that are not signals. */
const EVENTS = new Set(['EXIT', 'ERR', 'DEBUG', 'RETURN'])
/** Commands that trigger ERR themselves. If a loop or a branch fails, the failed command inside has already triggered ERR. */
const TOLD = new Set(['SimpleCommand', 'Subshell', 'ArithmeticCommand', 'ConditionalCommand'])

/** Traps that are not inherited without `set -T`. */
const UNINHERITED = ['DEBUG', 'RETURN']

type Traps = ReadonlyMap<string, string>

/** For the traps of a subshell, the traps of its parent shell. `trap` lists these until the subshell sets its own. */
const outer = new WeakMap<Traps, Traps>()

/** Runs a subshell with its own traps. `listsJobs`: lists the parent shell's jobs too. */
export async function within<R>(context: Context, run: () => Promise<R>, listsJobs = false): Promise<R> {
  const { place } = context
  const { traps, level, command, pid, jobsOf, startMs } = place
  place.jobsOf = listsJobs ? (jobsOf ?? pid) : undefined
  place.pid = context.state.bashPid
  const random = randomOf(context)
  place.random = undefined
  place.traps = inherited(context)
  place.level++
  try {
    return await run()
  } finally {
    Object.assign(place, { traps, level, command, pid, jobsOf, startMs, random })
  }
}

/**
 * Returns the traps of a subshell. Ignored signals stay ignored. ERR is inherited with `set -E`, DEBUG and RETURN with `set -T`. All other
 * traps are reset.
 */
export function inherited({ place: { traps }, state: { options } }: Context): Map<string, string> {
  const isKept = (event: string): boolean | undefined =>
    event === 'ERR' ? options.errtrace : UNINHERITED.includes(event) && options.functrace
  const own = new Map([...traps].filter(([event, command]) => command === '' || isKept(event)))
  outer.set(own, outer.get(traps) ?? traps)
  return own
}

/** Runs a script or the body of a subshell, and then its EXIT trap. */
export async function withExitTrap<R extends CommandResult>(running: Running, context: Context, run: () => Promise<R>): Promise<R> {
  const { place } = context
  let result: R | undefined
  let failure: unknown
  try {
    result = await run()
    // Traps run before the next command. After the last command there is no next one, so run the remaining traps now.
    await runPending(context)
  } catch (error) {
    if (!(error instanceof place.Exit)) throw error
    if (result) prependTo(error, result)
    result = undefined
    failure = error
  }
  forget(context)
  const command = place.traps.get('EXIT')
  if (!command) {
    if (failure) throw failure
    return result as R
  }
  place.traps.delete('EXIT')
  const before = result ?? resultOf(failure)
  await deliver(place.frame, before, running.sink)
  const status = await runTrap(context, command, before.exitCode)
  if (!result) throw new place.Exit(status, '', '')
  return { ...result, stdout: '', stderr: '', exitCode: status }
}

/** Runs a trap. Returns the resulting status. */
async function runTrap(context: Context, command: string, status: number): Promise<number> {
  const { place } = context
  setStatus(context, status)
  // A trap does not run inside the evaluated code.
  place.traceDepth = (place.traceDepth ?? 0) - 1
  try {
    await evaluateTrap(context, command)
  } catch (error) {
    if (!(error instanceof context.place.Exit)) throw error
    return resultOf(error).exitCode
  }
  setStatus(context, status)
  return status
}

/** Runs the text of a trap. `line`: value of LINENO; by default the line in this text. */
async function evaluateTrap(context: Context, command: string, line?: number): Promise<void> {
  const { place } = context
  const { trapping = false, trapLine } = place
  place.trapping = true
  place.trapLine = line
  try {
    await evaluate(context, command)
  } finally {
    place.trapping = trapping
    place.trapLine = trapLine
  }
}

/** Runs the DEBUG trap before a command. */
export function debug(context: Context, node: CommandNode): Promise<void> | undefined {
  const { place, state } = context
  const command = place.traps.get('DEBUG')
  if (place.trapping || !command || commandLine(node) === undefined) return undefined
  place.command = node
  const { lastExitCode } = state
  return evaluateTrap(context, command, node.line ?? state.currentLine).then(() => setStatus(context, lastExitCode))
}

/** Runs a function or a sourced file, then the RETURN trap. Without `set -T`, a function does not inherit the RETURN and DEBUG traps. */
export async function withReturnTrap<R>(context: Context, isFunction: boolean, run: () => Promise<R>): Promise<R> {
  const { place, state } = context
  const kept = new Map<string, string>()
  for (const event of isFunction && !state.options.functrace ? UNINHERITED : []) {
    const command = place.traps.get(event)
    if (command !== undefined) kept.set(event, command)
    place.traps.delete(event)
  }
  const runTrapOf = async (): Promise<void> => {
    const command = place.traps.get('RETURN')
    if (!command) return
    const { lastExitCode } = state
    await evaluateTrap(context, command)
    setStatus(context, lastExitCode)
  }
  try {
    // Bash runs the DEBUG trap twice: before the call, and before the function's body.
    if (isFunction && place.command) await debug(context, place.command)
    const result = await run()
    await runTrapOf()
    return result
  } catch (error) {
    if ((error as Error | undefined)?.name === 'ReturnError') await runTrapOf()
    throw error
  } finally {
    for (const [event, command] of kept) if (!place.traps.has(event)) place.traps.set(event, command)
  }
}

export async function runErrorTrap(context: Context, status: number, { pipelines }: StatementNode): Promise<void> {
  const { place, state } = context
  const command = place.traps.get('ERR')
  const [first, ...others] = pipelines.at(-1)?.commands ?? []
  if (!command || (state.callDepth > 0 && !state.options.errtrace) || !first || (others.length === 0 && !TOLD.has(first.type))) return
  const last = others.at(-1) ?? first
  if (others.length > 0 || last.type === 'Subshell') place.command = last
  place.traps.delete('ERR')
  await evaluateTrap(context, command, first.line ?? state.currentLine)
  if (!place.traps.has('ERR')) place.traps.set('ERR', command)
  setStatus(context, status)
}

/** Handles pending signals of the shell before its next command. Throws to end the shell. */
export async function runPending(context: Context): Promise<void> {
  const { place, state } = context
  const { process } = place
  for (;;) {
    // The end of the process also ends the scripts that it runs. A trap waits until a running subshell has ended.
    const next = process.pending.find((each) =>
      'exit' in each ? each.shell === context || each.shell === process.context : isOwn(each, context),
    )
    if (!next) return
    if ('exit' in next) throw new place.Exit(next.shell === process.context ? process.endBy(next.exit) : statusOf(next.exit), '', '')
    process.pending.splice(process.pending.indexOf(next), 1)
    const command = place.traps.get(next.trap)
    if (!command) continue
    const { lastExitCode } = state
    await evaluateTrap(context, command)
    setStatus(context, lastExitCode)
  }
}

const isOwn = ({ shell }: Pending, context: Context): boolean => shell === context && context.place.traps === context.place.ownTraps

/** Drops pending signals of an ended shell. */
function forget({ place }: Context): void {
  if (place.traps !== place.ownTraps) return
  const { pending } = place.process
  const left = pending.filter(({ shell }) => shell?.place !== place)
  pending.splice(0, pending.length, ...left)
}

const name = (given: string): string | undefined => {
  if (given === '0') return 'EXIT'
  const upper = given.toUpperCase()
  const event = upper.startsWith('SIG') ? upper.slice(3) : upper
  return EVENTS.has(event) ? event : signalNamed(given)
}

/** Runs `trap [-lp] [[command] name ...]`. */
export function trapBuiltin({ place }: Context, given: readonly string[]): CommandResult {
  const args = given[0] === '--' ? given.slice(1) : given
  const [first, ...rest] = args
  if (first === '-l') return { stdout: signalTable(), stderr: '', exitCode: 0 }
  if (first === undefined || first === '-p') return listTraps(outer.get(place.traps) ?? place.traps, rest)
  if (first.startsWith('-') && first !== '-' && given[0] !== '--')
    return failure(`${first}: invalid option\ntrap: usage: trap [-lp] [[arg] signal_spec ...]`, 2)
  // A single argument is the name of a signal, whose trap is removed.
  const [command, names] = rest.length === 0 ? ['-', [first]] : [first, rest]
  outer.delete(place.traps)
  let stderr = ''
  for (const each of names) {
    const known = name(each)
    if (known === undefined) stderr += `bash: trap: ${each}: invalid signal specification\n`
    else if (known === 'SIGCHLD' && rest.length > 0 && command !== '' && command !== '-')
      stderr += `bash: trap: ${each}: not supported here: use wait\n`
    else if (command === '-' || (/^\d+$/.test(command) && rest.length === 0)) place.traps.delete(known)
    else place.traps.set(known, command)
  }
  return { stdout: '', stderr, exitCode: stderr === '' ? 0 : 1 }
}

/** Sort positions of the events that `trap` lists after the signals. */
const LATE: Readonly<Record<string, number>> = { DEBUG: 1000, ERR: 1001, RETURN: 1002 }

function listTraps(traps: Traps, wanted: readonly string[]): CommandResult {
  const order = (event: string): number =>
    event === 'EXIT' ? 0 : event in LATE ? (LATE[event] as number) : signalNumber(event as SignalName)
  const listed = (event: string): CommandResult => {
    const command = traps.get(event)
    const stdout = command === undefined ? '' : `trap -- '${command.replaceAll("'", "'\\''")}' ${event}\n`
    return { stdout, stderr: '', exitCode: 0 }
  }
  if (wanted.length === 0) return inOrder([...traps.keys()].sort((a, b) => order(a) - order(b)).map(listed))
  return inOrder(
    wanted.map((each) => {
      const known = name(each)
      return known === undefined ? failure(`${each}: invalid signal specification`, 1) : listed(known)
    }),
  )
}

const failure = (message: string, exitCode: number): CommandResult => ({ stdout: '', stderr: `bash: trap: ${message}\n`, exitCode })
