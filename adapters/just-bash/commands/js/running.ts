import { systemHost } from '../../../../src/host.js'
import type { JsAdapter, JsProgram } from '../../../../src/types/js.js'
import type { ShellCommandContext, ShellCommandInput, ShellCommandResult, ShellProcess, ShellSignal } from '../../../../src/types/shell.js'
import { createPrinter } from './printer.js'

/** Milliseconds after which a program that ignores a signal is killed. The shell itself abandons a command after 200 ms. */
const GRACE_MS = 100
const KILLED: Readonly<Record<ShellSignal, number>> = { SIGINT: 130, SIGTERM: 143, SIGKILL: 137 }

/** Maximum milliseconds to wait for the stop signal of the script after a program has used up the script's time limit. */
const DUE_MS = 1000

/** Input of a program: a complete text (which may be empty) or a stream. */
export type ProgramInput = string | ShellCommandInput

export interface RunOptions {
  readonly js: JsAdapter
  readonly program: JsProgram
  readonly input: ProgramInput
  readonly context: Pick<ShellCommandContext, 'signal' | 'print' | 'timeLeftMs'>
  /** Whether to print the default export as JSON. */
  readonly printsResult: boolean
}

/** Result of a program. Contains only the output that the shell has not received yet. */
type Ended = Pick<ShellCommandResult, 'stdout' | 'stderr'> & { readonly exitCode: number }

/**
 * Runs a program as a command of the shell. Forwards a signal of the command to the program and kills the program if it does not exit.
 *
 * @throws any error of the adapter
 */
export function runProgram(options: RunOptions): Promise<Ended> {
  const { js, input, printsResult, context } = options
  // Only a spawned program receives signals. But `readFileSync(0)` works only in a program that gets its complete input at the start.
  // Without `hardKill`, no signal stops a program that never yields, so such an adapter gets the time limit of the script.
  const needsTime = !js.can.hardKill && context.timeLeftMs !== undefined
  const canStart = !printsResult && (typeof input === 'string' ? input === '' && !needsTime : true)
  return canStart && js.spawn ? runStarted(options, js.spawn.bind(js)) : runWhole(options)
}

async function runStarted({ program, input, context }: RunOptions, spawn: NonNullable<JsAdapter['spawn']>): Promise<Ended> {
  const { signal } = context
  const over = new AbortController()
  const printer = createPrinter(context.print, () => over.abort())
  const started = await unlessStopped(signal, spawn({ ...program, signal: over.signal, onOutput: printer.push }))
  if (!started) return { exitCode: statusOf(signal) }
  const stop = (): void => void end(started, signalOf(signal))
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  void feed(started, input)
  const { exitCode } = await started.exited
  signal.removeEventListener('abort', stop)
  return { ...(await printer.finish()), exitCode: exitCode ?? statusOf(signal) }
}

async function runWhole({ js, program, input, context, printsResult }: RunOptions): Promise<Ended> {
  const { signal } = context
  const stdin = typeof input === 'string' ? input : await allOf(input)
  const over = new AbortController()
  const printer = createPrinter(context.print, () => over.abort())
  const { timeLeftMs } = context
  const result = await js.run({
    ...program,
    stdin,
    signal: AbortSignal.any([signal, over.signal]),
    onOutput: printer.push,
    maxBytes: 0,
    ...(timeLeftMs !== undefined && { timeoutMs: timeLeftMs }),
  })
  // The program used up the script's time limit, so wait for the script's stop signal, which may arrive a little later.
  if (result.timedOut) await whenStopped(signal)
  if (printsResult && result.result !== undefined) printer.push({ stream: 'stdout', text: `${JSON.stringify(result.result)}\n` })
  return { ...(await printer.finish()), exitCode: result.exitCode ?? statusOf(signal) }
}

async function whenStopped(signal: AbortSignal): Promise<void> {
  const heard = new AbortController()
  const hear = (): void => heard.abort()
  signal.addEventListener('abort', hear, { once: true })
  if (!signal.aborted) await systemHost.sleep(DUE_MS, heard.signal)
  signal.removeEventListener('abort', hear)
}

/** Resolves to the started program, or to undefined if the signal aborts first. Then the program is killed as soon as it starts. */
async function unlessStopped(signal: AbortSignal, starting: Promise<ShellProcess>): Promise<ShellProcess | undefined> {
  let wake = (): void => undefined
  const stopped = new Promise<undefined>((resolve) => {
    wake = () => resolve(undefined)
  })
  signal.addEventListener('abort', wake, { once: true })
  if (signal.aborted) wake()
  const started = await Promise.race([starting, stopped])
  signal.removeEventListener('abort', wake)
  if (!started) {
    starting.then(
      (late) => late.kill('SIGKILL'),
      () => undefined,
    )
  }
  return started
}

async function end(process: ShellProcess, signal: ShellSignal): Promise<void> {
  await process.kill(signal)
  const done = new AbortController()
  await Promise.race([process.exited, systemHost.sleep(GRACE_MS, done.signal)])
  done.abort()
  await process.kill('SIGKILL')
}

async function feed(process: ShellProcess, input: ProgramInput): Promise<void> {
  try {
    if (typeof input !== 'string') for await (const text of textsOf(input)) await process.write(text)
    await process.closeInput?.()
  } catch {
    // The program has exited or does not read its input. Drop the rest.
  }
}

async function allOf(input: ShellCommandInput): Promise<string> {
  let all = ''
  for await (const text of textsOf(input)) all += text
  return all
}

/** Decodes the input. Buffers an incomplete character until its remaining bytes arrive. */
export async function* textsOf(input: ShellCommandInput): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for (let bytes = await input.next(); bytes; bytes = await input.next()) yield decoder.decode(bytes, { stream: true })
  const last = decoder.decode()
  if (last !== '') yield last
}

const signalOf = ({ reason }: AbortSignal): ShellSignal => {
  if (reason === 'SIGINT') return reason
  // Adapters know only three signals. The shell reports the actual signal.
  return typeof reason === 'string' && reason !== 'SIGKILL' ? 'SIGTERM' : 'SIGKILL'
}

const statusOf = (signal: AbortSignal): number => (signal.aborted ? KILLED[signalOf(signal)] : KILLED.SIGKILL)
