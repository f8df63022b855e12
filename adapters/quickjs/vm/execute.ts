import { systemHost } from '../../../src/host.js'
import type { Change, Changes } from '../../shared/js/changes.js'
import { PIECE } from '../../shared/js/live-files.js'
import { groupEnds } from '../../shared/js/write-back.js'
import { loadLibrary } from '../engine/engine.js'
import { createFiles } from '../fs/files.js'
import type { Controls, Ended, EndReason, Job, Services } from '../job.js'
import { createMemoryBudget } from '../memory-budget.js'
import { runProgram } from './run.js'

/** Maximum number of changes per batch. */
const BATCH = 1000
/**
 * Milliseconds to restore and report pending moves if a program is stopped while its files are written. Shorter than the grace period of a
 * worker.
 */
const PUT_BACK_MS = 25

/** Runs a program, and writes its changes if it ended by itself. @throws {JsError} unavailable */
export async function execute(
  engine: WebAssembly.Module | Promise<WebAssembly.Module>,
  job: Job,
  services: Services,
  controls: Controls,
): Promise<Ended> {
  const [library, module] = await Promise.all([loadLibrary(), engine])
  const budget = createMemoryBudget(job.memoryBytes)
  const files = job.snapshot ? createFiles(job, services, budget) : undefined
  const ended = await runProgram({ library, module, job, services, controls, files, budget })
  if (!files || ended.stopped || ended.signal || job.grants.fs !== 'write') return ended
  const changes = files.changes()
  if (changes.length === 0) return ended
  const stopped = whenStopped(controls)
  const problems: string[] = []
  const tell = (said: readonly string[]): void => {
    for (const problem of said) controls.output('stderr', `${problem}\n`)
  }
  for (const batch of batchesOf(changes)) {
    const flushed = services.flush(batch)
    const said = await Promise.race([flushed, stopped])
    if (typeof said !== 'string') {
      problems.push(...said)
      continue
    }
    tell([...problems, ...(await Promise.race([flushed, systemHost.sleep(PUT_BACK_MS).then(() => [])]))])
    return { exitCode: null, stopped: said }
  }
  if (problems.length === 0) return ended
  const { result: _, ...failed } = ended
  tell(problems)
  return { ...failed, exitCode: failed.exitCode || 1 }
}

/**
 * Splits changes into batches, because both sides hold the written content for a while. The steps of a move stay in one batch, because the
 * writer may be stopped between two batches.
 */
export function* batchesOf(changes: Changes): Iterable<Changes> {
  const batch: Change[] = []
  const ends = groupEnds(changes)
  let bytes = 0
  let end = 0
  for (const [at, change] of changes.entries()) {
    batch.push(change)
    bytes += change.do === 'write' ? change.bytes.length : 0
    end = Math.max(end, ends[at] ?? at)
    if (at < end || (bytes < PIECE && batch.length < BATCH)) continue
    yield batch.splice(0)
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

/** Resolves when the program is stopped. Needed while files are written, because storage may be slow or hang. */
function whenStopped({ events }: Controls): Promise<EndReason> {
  return new Promise((resolve) => {
    const look = (): void => {
      for (const event of events?.take() ?? []) if ('stop' in event) resolve(event.stop)
    }
    events?.onPush(look)
    look()
  })
}
