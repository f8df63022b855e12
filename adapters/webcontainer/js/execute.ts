import { JsError } from '../../../src/errors/index.js'
import type { JsResult, JsRunOptions } from '../../../src/types/js.js'
import { createOutputBuffer, type OutputBuffer } from '../../shared/output-buffer.js'
import type { Stop } from '../../shared/process/stop.js'
import type { Ending, Running } from '../shell/process.js'
import { within } from '../shell/timeout.js'
import type { PrivateFolder } from './private-folder.js'
import { type Started, type StartOptions, startProgram } from './start-program.js'

/** After a stop: milliseconds to wait for the end of the program, and for pending output. The sum must be less than 250. */
const KILLED_MS = 120
const LAST_OUTPUT_MS = 30

export interface ExecuteOptions extends Omit<StartOptions, 'stdin' | 'closed' | 'onOutput' | 'onTaken'> {
  readonly program: JsRunOptions
  /** Removes the run's private folder. */
  discard(folder: PrivateFolder): Promise<void>
}

/** @throws {JsError} spawn_failed, unavailable */
export async function executeProgram({ discard, ...options }: ExecuteOptions, stop: Stop): Promise<JsResult> {
  const { program, folder } = options
  const kept = createOutputBuffer(program)
  const starting = startProgram({ ...options, stdin: program.stdin ?? '', closed: true, onOutput: kept.push })
  try {
    const started = await Promise.race([starting, stop.happened])
    if (!started) {
      void starting.then(({ running }) => endLate(running)).catch(() => undefined)
      return kept.stopped(stop.reason)
    }
    return await outcome(started, kept, stop)
  } finally {
    // After a stop, the caller does not wait until the folder is removed.
    const removed = discard(folder)
    if (stop.reason === undefined) await removed
  }
}

async function outcome({ running, conversation, lost }: Started, kept: OutputBuffer, stop: Stop): Promise<JsResult> {
  const end: Ending | undefined = await Promise.race([running.ended, lost, stop.happened])
  conversation.end()
  if (!end) {
    await endNow(running)
    running.letGo()
    conversation.finish()
    return kept.stopped(stop.reason)
  }
  stop.dispose()
  await running.settle()
  running.letGo()
  conversation.finish()
  const exitCode = end.code ?? conversation.exitCode
  if (exitCode === undefined) {
    running.kill()
    throw new JsError('unavailable', `The program broke off: the container says: ${end.failure}`)
  }
  if (running.broken !== undefined) kept.push({ stream: 'stderr', text: `[the output broke off: ${running.broken}]\n` })
  const { result } = conversation
  return { exitCode, ...kept.finish(), ...(result !== undefined && { result }), timedOut: false, aborted: false }
}

/** Calls the container's `kill`, which takes no signal, and also sends Ctrl+C in case `kill` has no effect. */
async function endNow(running: Running): Promise<void> {
  running.kill()
  running.interrupt()
  if (await within(KILLED_MS, running.ended)) await running.settle(LAST_OUTPUT_MS)
}

function endLate(running: Running): void {
  running.letGo()
  running.kill()
}
