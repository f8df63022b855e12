import type { ShellCommandInput } from '../../../src/types/shell.js'
import type { BashFs } from '../../../src/workspace/facades/to-bash-fs.js'
import type { ProgramCall } from '../hooks.js'
import type { CommandResult, Context } from '../library-types.js'
import type { Input } from '../stdin/input.js'
import { INPUT } from '../stdin/read.js'
import { flushAll } from './frames.js'
import type { Mend } from './interpreter-context.js'
import type { SignalName } from './signals.js'

/** The shell as a program sees it that prints and reads while it runs. */
export interface ProgramPort {
  /** Until the deadline of the call; undefined: it has none. */
  readonly timeLeftMs: number | undefined
  /** The files without the guard that the library puts around those of a command: the guard copies each listing, property by property. */
  readonly fs: BashFs
  /** Of its input. */
  readonly kind: ShellCommandInput['kind']
  /** Its input is a file, whose size it can know. */
  readonly readsFile: boolean
  /** Its output goes where output goes, at once. @throws where that is more than the script may print */
  print(result: CommandResult): Promise<void>
  /**
   * The next of what the commands of the script share, one character a byte; undefined at its end. null: the input is another, which is
   * known whole.
   */
  next(): Promise<string | null | undefined>
  /** Lets the commands that `body` runs with the input `INPUT` share `input`: each one reads on where the previous one has stopped. */
  sharing<T>(input: Input, body: () => Promise<T>): Promise<T>
  /**
   * The script that `body` runs prints where this program prints, as it comes. `mend` is for the program that is all of the script;
   * `hidden` are variables that it does not export.
   */
  passing<T>(body: () => Promise<T>, mend: Mend, hidden: readonly string[]): Promise<T>
  /** Aborts when the program is to end, with the name of a signal, where it was one. */
  readonly signal: AbortSignal
  /** What printing failed with. */
  readonly failure: unknown
  /** It has ended. */
  close(): void
}

declare module '../library-types.js' {
  interface Context {
    /** The library hands it on to commands, and calls it nowhere: ours ask it for more of the shell than others are given. */
    invokeTool?: ((receive: (port: ProgramPort) => void) => void) | undefined
  }
}

type Print = (context: Context, result: CommandResult) => CommandResult | Promise<CommandResult>

/** Runs a program. A command of ours that asks for its port has it until the program ends. */
export async function withPort(
  context: Context,
  call: ProgramCall,
  print: Print,
  run: () => Promise<CommandResult>,
): Promise<CommandResult> {
  const before = context.invokeTool
  let port: ProgramPort | undefined
  context.invokeTool = (receive) => {
    port ??= openPort(context, call, print)
    receive(port)
  }
  try {
    return await run()
  } finally {
    context.invokeTool = before
    port?.close()
  }
}

function openPort(context: Context, call: ProgramCall, print: Print): ProgramPort {
  const { place, state } = context
  const { stop, pending } = place.process
  const over = new AbortController()
  let close = (): void => undefined
  const closed = new Promise<'closed'>((resolve) => {
    close = () => resolve('closed')
  })
  let failure: unknown
  const watch = async (): Promise<void> => {
    if ((await Promise.race([stop.until(closed), closed])) !== 'closed') over.abort(endingSignal(context))
  }
  void watch()
  return {
    timeLeftMs: stop.leftMs,
    fs: context.fs as BashFs,
    kind: kindOf(context, call),
    readsFile: place.readsFile ?? false,
    signal: over.signal,
    get failure() {
      return failure
    },
    async print(result) {
      try {
        await print(context, result)
        await flushAll(place.frame)
      } catch (error) {
        failure = error
        throw error
      }
    },
    async next() {
      if (call.owned || call.stdin !== '' || state.groupStdin !== INPUT) return null
      const { input } = place.process
      if (!input) return undefined
      while (!input.available && !input.closed && stop.reason === undefined && pending.length === 0) {
        await Promise.race([stop.until(input.changed()), closed])
        if (over.signal.aborted) return undefined
      }
      return input.available ? input.takeAll() : undefined
    },
    async sharing(input, body) {
      const before = place.process.input
      place.process.input = input
      try {
        return await body()
      } finally {
        place.process.input = before
        // A group goes on with what they have left.
        if (call.stdin === '' && !call.owned && state.groupStdin !== undefined && state.groupStdin !== INPUT) state.groupStdin = input.rest
      }
    },
    async passing(body, mend, hidden) {
      const before = place.passing
      place.passing = { mend, hidden }
      try {
        return await body()
      } finally {
        place.passing = before
      }
    },
    close,
  }
}

function kindOf({ place, state }: Context, call: ProgramCall): ProgramPort['kind'] {
  const { input } = place.process
  if (call.owned || call.stdin !== '') return 'own'
  if (state.groupStdin !== INPUT) return state.groupStdin ? 'shared' : 'none'
  if (!input) return 'none'
  return input.closed ? (input.available ? 'shared' : 'none') : 'live'
}

/** What ends it. Undefined: no signal, the script is stopped. */
function endingSignal({ place }: Context): SignalName | undefined {
  const { stop, pending } = place.process
  const [first] = pending
  if (stop.signal) return stop.signal
  return first && ('trap' in first ? first.trap : first.exit)
}
