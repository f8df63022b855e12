import { FsError } from '../../../src/errors/index.js'
import type { Route } from '../hooks.js'
import type { CommandResult, Context, RedirectionNode } from '../library-types.js'
import { appending, type CollectingFrame, deliver, type Frame, RedirectionFrame } from './frames.js'
import { joined, silent } from './results.js'
import type { Running } from './running.js'
import { dropOutput, prependTo } from './scripts.js'

/** Routes the output of commands according to redirections, pipes and `exec`. */
export interface ScriptOutput {
  print(context: Context, result: CommandResult): CommandResult | Promise<CommandResult>
  /** Prints all pieces of a result in order. */
  printAll<R extends CommandResult>(context: Context, result: R): Promise<R>
  /** Runs a command with its redirections and those of `exec`. `isElsewhere`: `exec` has redirected a stream. */
  framed(
    context: Context,
    redirections: readonly RedirectionNode[],
    run: () => Promise<CommandResult>,
    route: Route,
    isElsewhere: boolean,
  ): Promise<CommandResult>
  /** Runs `run` and returns the output that `frame` collects as the result. `piped`: the output is dropped when the call is stopped. */
  collect<R extends CommandResult>(context: Context, frame: CollectingFrame, run: () => Promise<R>, piped?: boolean): Promise<R>
}

export function createScriptOutput(
  { sink, stop, host, endless }: Running,
  failureOf: (error: unknown) => string | undefined,
): ScriptOutput {
  return { print, printAll, framed, collect }

  function print(context: Context, result: CommandResult): CommandResult | Promise<CommandResult> {
    const { frame } = context.place
    const charged = charge(context, result)
    if (frame) return printWithin(frame, charged)
    sink(charged)
    if (endless) context.executionScope.outputBytes -= bytesOf(charged)
    return silent(charged)
  }

  async function printAll<R extends CommandResult>(context: Context, result: R): Promise<R> {
    const { pieces = [result] } = result
    let { exitCode } = result
    for (const { stdout, stderr } of pieces) {
      if (stdout === '' && stderr === '') continue
      const written = await print(context, { ...result, stdout, stderr, pieces: undefined })
      if (written.exitCode !== result.exitCode) exitCode = written.exitCode
    }
    return { ...silent(result), pieces: undefined, exitCode }
  }

  async function framed(
    context: Context,
    redirections: readonly RedirectionNode[],
    run: () => Promise<CommandResult>,
    route: Route,
    isElsewhere: boolean,
  ): Promise<CommandResult> {
    const { place } = context
    const { cwd } = context.state
    const later = appending(redirections)
    const around = place.frame
    const frame = new RedirectionFrame({
      parent: around,
      redirections,
      isElsewhere,
      now: () => host.now(),
      sink,
      route: (result) => route(at(context, cwd), later, result),
    })
    if (!frame.out && !frame.err) return run()
    place.frame = frame
    const restore = withoutStreams(context, frame.redirected)
    try {
      const result = await run()
      // Print the rest here: the library would overwrite the output that the frame has already written to a file.
      if (!frame.used || (result.stdout === '' && result.stderr === '')) return result
      await deliver(frame, result, sink)
      return silent(result)
    } finally {
      restore()
      place.frame = around
      await frame.flush()
    }
  }

  /** Delivers a result. If a file cannot be written, the command fails. */
  async function printWithin(frame: Frame, result: CommandResult): Promise<CommandResult> {
    try {
      await deliver(frame, result, sink)
      return silent(result)
    } catch (error) {
      const words = FsError.is(error) ? failureOf(error) : undefined
      if (words === undefined) throw error
      await deliver(frame, { stdout: '', stderr: `bash: ${words}\n`, exitCode: 1 }, sink).catch(() => {})
      return { ...silent(result), exitCode: 1 }
    }
  }

  async function collect<R extends CommandResult>(
    context: Context,
    frame: CollectingFrame,
    run: () => Promise<R>,
    piped = false,
  ): Promise<R> {
    const kept = (): CommandResult => (piped && stop.reason !== undefined ? { ...frame.close(), stdout: '' } : frame.close())
    const { place } = context
    const around = place.frame
    place.frame = frame
    const restore = withoutStreams(context, frame.err ? [1, 2] : [1])
    let result: R
    try {
      result = await run()
      while (frame.jobs?.size && stop.reason === undefined && place.process.stop.reason === undefined) {
        await place.process.stop.until(Promise.all(frame.jobs))
      }
    } catch (error) {
      if (piped && stop.reason !== undefined) dropOutput(error)
      prependTo(error, kept())
      throw error
    } finally {
      restore()
      place.frame = around
    }
    if (piped && stop.reason !== undefined) result = { ...result, stdout: '' }
    const all = joined(kept(), result)
    const { stdout, stderr, stdoutKind, internalOutputAccounting } = all
    return {
      ...result,
      stdout,
      stderr,
      ...(stdout !== '' && { stdoutKind, stdoutEncoding: all.stdoutEncoding }),
      ...(internalOutputAccounting && { internalOutputAccounting }),
    }
  }
}

/** Whether `exec` has redirected a standard stream. */
export const hasOwnOutput = ({ state }: Context): boolean =>
  [1, 2].some((fd) => state.fileDescriptors?.has(fd) || state.closedStandardFds?.has(fd))

/**
 * Hides the streams that `exec` has redirected, if a redirection, a pipe or a substitution takes them over. Returns a function that
 * restores them.
 */
export function withoutStreams({ state }: Context, streams: readonly number[]): () => void {
  const undo = streams.map((fd) => {
    const entry = state.fileDescriptors?.get(fd)
    state.fileDescriptors?.delete(fd)
    const isClosed = state.closedStandardFds?.delete(fd)
    return () => {
      if (entry === undefined) state.fileDescriptors?.delete(fd)
      else state.fileDescriptors?.set(fd, entry)
      if (isClosed) state.closedStandardFds?.add(fd)
    }
  })
  return () => {
    for (const each of undo) each()
  }
}

export function charge(context: Context, result: CommandResult): CommandResult {
  // Copy the result if the library has frozen it.
  return context.executionScope.accountResult(Object.isExtensible(result) ? result : { ...result }, 'command')
}

export const bytesOf = ({ internalOutputAccounting: charged }: CommandResult): number => (charged?.stdout ?? 0) + (charged?.stderr ?? 0)

/** Returns the context with `cwd`, the working directory at the redirection. File names in the redirection are relative to it. */
function at(context: Context, cwd: string): Context {
  if (context.state.cwd === cwd) return context
  return { ...context, state: Object.create(context.state, { cwd: { value: cwd } }) }
}
