import type { ShellCommandInput } from '../../../src/types/shell.js'
import type { BashFs } from '../../../src/workspace/facades/to-bash-fs.js'
import type { ProgramCall } from '../hooks.js'
import type { CommandResult, Context } from '../library-types.js'
import type { Input } from '../stdin/input.js'
import { INPUT } from '../stdin/read.js'
import { flushAll } from './frames.js'
import type { Mend } from './interpreter-context.js'
import type { SignalName } from './signals.js'

/** The shell's interface for a program that prints and reads while it runs. */
export interface ProgramPort {
  /** Milliseconds until the deadline of the call. Undefined without a deadline. */
  readonly timeLeftMs: number | undefined
  /** The file system without the library's wrapper, which copies each directory listing property by property. */
  readonly fs: BashFs
  /** Kind of the program's input. */
  readonly kind: ShellCommandInput['kind']
  /** Whether the program's input is a file, whose size is known. */
  readonly readsFile: boolean
  /** Writes output to its target at once. @throws if the script exceeds its output limit */
  print(result: CommandResult): Promise<void>
  /**
   * Resolves to the next piece of the shared input, one character per byte, or to undefined at the end of the input. Resolves to null if
   * the program has its own, complete input.
   */
  next(): Promise<string | null | undefined>
  /** While `body` runs, its commands with the input `INPUT` share `input`. Each command continues where the previous one stopped. */
  sharing<T>(input: Input, body: () => Promise<T>): Promise<T>
  /**
   * Streams the output of the script that `body` runs to this program's output. `mend` rewords failures if the script is a single program.
   * `hidden`: variables that the script does not export.
   */
  passing<T>(body: () => Promise<T>, mend: Mend, hidden: readonly string[]): Promise<T>
  /** Aborts when the program must end. The reason is the name of a signal, if a signal ends the program. */
  readonly signal: AbortSignal
  /** The error of a failed `print`, if any. */
  readonly failure: unknown
  /** Call when the program has ended. */
  close(): void
}

declare module '../library-types.js' {
  interface Context {
    /** The library passes this function to commands but never calls it. This adapter's own commands use it to get the port. */
    invokeTool?: ((receive: (port: ProgramPort) => void) => void) | undefined
  }
}

type Print = (context: Context, result: CommandResult) => CommandResult | Promise<CommandResult>

/** Runs a program. The adapter's own commands can request a port, which is valid until the program ends. */
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
        // The other commands of a group read the remaining input.
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

/** Returns the signal that ends the program, or undefined if the script was stopped without a signal. */
function endingSignal({ place }: Context): SignalName | undefined {
  const { stop, pending } = place.process
  const [first] = pending
  if (stop.signal) return stop.signal
  return first && ('trap' in first ? first.trap : first.exit)
}
