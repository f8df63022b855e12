import type { BuiltinCall, ProgramCall } from '../hooks.js'
import type { CommandResult, Context } from '../library-types.js'
import { flushAll } from '../process/frames.js'
import type { Input, Wanted } from './input.js'

/**
 * Placeholder for the script's standard input, because the library expects a text. Readers must use `Input` instead. Scripts cannot produce
 * this text, because it contains NUL.
 */
export const INPUT = '\0input of the script\0'

/** Status of `read -t` after its timeout: 128 + SIGALRM. */
const TIMED_OUT = 142

interface ReadOptions extends Wanted {
  readonly seconds: number | undefined
  readonly fd: string | undefined
}

/** Runs `read`: waits for a line, or for other requested input. */
export async function readBuiltin(context: Context, call: BuiltinCall): Promise<CommandResult | null> {
  const { place } = context
  const options = optionsOf(call.args)
  const { input, stop } = place.process
  if (options.fd !== undefined && options.fd !== '0') return call.run(call.stdin)
  // The command has its own, empty input.
  if (call.owned && call.stdin === '') return without(context, () => call.run(''))
  if (!readsInput(context, call)) return call.run(call.stdin)
  if (!input) return without(context, () => call.run(''))
  if (options.seconds === 0) return { stdout: '', stderr: '', exitCode: input.available || input.closed ? 0 : 1 }
  const late = options.seconds === undefined ? undefined : timeout(context, options.seconds)
  let text = input.take(options)
  while (text === undefined && stop.reason === undefined && place.process.pending.length === 0 && !late?.over) {
    await flushAll(place.frame)
    await stop.until(late ? Promise.race([input.changed(), late.passed]) : input.changed())
    text = input.take(options)
  }
  const timedOut = text === undefined && late?.over === true
  const result = await without(context, () => call.run(text ?? (timedOut ? input.takeAll() : '')))
  return timedOut && result ? { ...result, exitCode: TIMED_OUT } : result
}

/** Commands that only pass their input to the command that they run, so the placeholder suffices. */
const PASSING = new Set(['timeout', 'nohup', 'env', 'find', 'nice', 'setsid', 'time', 'command'])

/** Shells access their input even if the script does not use it. */
const RUNNING = new Set(['bash', 'sh'])

/** Whether a command accesses its input without using it: `rg` only checks whether there is input, and `base64` reads a named file. */
function looksInVain(name: string, args: readonly string[]): boolean {
  return name === 'rg' || (name === 'base64' && args.some((arg) => !/^(?:-.*|\d+)$/.test(arg)))
}

/** Runs a program. If the program accesses its input before the input has ended, waits for the end and restarts the program. */
export async function runProgram(context: Context, { name, args, stdin, owned, run }: ProgramCall): Promise<CommandResult> {
  const { state, place } = context
  if (stdin !== '') return run(stdin)
  if (!owned && state.groupStdin !== INPUT) return runInGroup(context, name, args, run)
  // The program has its own, empty input.
  if (owned) return (await without(context, () => run(''))) as CommandResult
  const look: Look = { taken: PASSING.has(name) ? INPUT : looksInVain(name, args) ? '' : undefined, wanted: false, looked: false }
  return looking(context, look, async () => {
    const result = await run('')
    const { input } = place.process
    if (!look.wanted || !input) return result
    await toEnd(context, input)
    look.taken = input.takeAll()
    return await run('')
  })
}

/** Runs a program inside a group, a loop or a function with redirected input. Removes the input that the program consumes. */
async function runInGroup(context: Context, name: string, args: readonly string[], run: ProgramCall['run']): Promise<CommandResult> {
  const { state } = context
  const text = state.groupStdin
  if (!text || PASSING.has(name) || RUNNING.has(name) || looksInVain(name, args)) return run('')
  const look: Look = { taken: undefined, wanted: false, looked: false }
  const result = await looking(context, look, () => run(''))
  // Programs such as `head` consume only a part of the input.
  if (look.looked && state.groupStdin === text) state.groupStdin = text.slice(result.inputTaken ?? text.length)
  return result
}

async function looking<T>(context: Context, look: Look, body: () => Promise<T>): Promise<T> {
  const around = looks.get(context)
  looks.set(context, look)
  try {
    return await body()
  } finally {
    if (around) looks.set(context, around)
    else looks.delete(context)
  }
}

interface Look {
  taken: string | undefined
  wanted: boolean
  /** Whether the program accessed the input of a group. */
  looked: boolean
}

const looks = new WeakMap<Context, Look>()

/** Returns the input of a program. If the input has not ended yet, throws: `runProgram` then waits for the end and restarts the program. */
export function lookAtInput(context: Context, text: string): string {
  if (text !== INPUT) {
    const look = looks.get(context)
    if (look) look.looked = true
    return text
  }
  const { input } = context.place.process
  const look = looks.get(context)
  if (!input || !look) return ''
  if (look.taken === undefined) {
    if (!input.closed) {
      look.wanted = true
      throw new Error('the input is not there yet')
    }
    look.taken = input.takeAll()
  }
  return look.taken
}

export async function toEnd({ place }: Context, input: Input): Promise<void> {
  const { stop, pending } = place.process
  while (!input.closed && stop.reason === undefined && pending.length === 0) {
    await flushAll(place.frame)
    await stop.until(input.changed())
  }
}

export const readsInput = ({ state }: Context, { stdin, owned }: BuiltinCall): boolean =>
  stdin === '' && !owned && state.groupStdin === INPUT

/** Runs `run` with an empty input. Otherwise, the library would use the input of the script. */
export async function without<T>({ state }: Context, run: () => Promise<T>): Promise<T> {
  const kept = state.groupStdin
  state.groupStdin = ''
  try {
    return await run()
  } finally {
    state.groupStdin = kept
  }
}

function timeout({ place }: Context, seconds: number): { over: boolean; readonly passed: Promise<void> } {
  const timer = { over: false, passed: Promise.resolve() }
  timer.passed = place.process.stop.sleep(seconds * 1000).then(() => {
    timer.over = true
  })
  return timer
}

function optionsOf(args: readonly string[]): ReadOptions {
  const given: Record<string, string> = {}
  const flags = new Set<string>()
  for (let i = 0; i < args.length && /^-[^-]/.test(args[i] as string); i++) {
    const letters = (args[i] as string).slice(1)
    for (let at = 0; at < letters.length; at++) {
      const letter = letters[at] as string
      flags.add(letter)
      if (!'adinNptu'.includes(letter)) continue
      given[letter] = letters.slice(at + 1) || (args[++i] ?? '')
      break
    }
  }
  const count = given.N ?? given.n
  return {
    delimiter: flags.has('d') ? (given.d ?? '').slice(0, 1) : '\n',
    continues: !flags.has('r'),
    ...(count !== undefined && { count: Math.max(0, Number.parseInt(count, 10) || 0) }),
    exact: flags.has('N'),
    seconds: given.t === undefined ? undefined : Math.max(0, Number.parseFloat(given.t) || 0),
    fd: given.u,
  }
}
