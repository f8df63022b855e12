import type { Change, Changes } from '../../shared/js/changes.js'
import { PIECE } from '../../shared/js/live.js'
import { loadLibrary } from '../engine/engine.js'
import { createFiles } from '../fs/files.js'
import type { Controls, Ended, EndReason, Job, Services } from '../job.js'
import { createRoom } from '../room.js'
import { runProgram } from './run.js'

/** Changes that are written at a time. */
const BATCH = 1000

/** Runs a program, and writes what it has changed when it has ended by itself. @throws {JsError} unavailable */
export async function execute(
  engine: WebAssembly.Module | Promise<WebAssembly.Module>,
  job: Job,
  services: Services,
  controls: Controls,
): Promise<Ended> {
  const [library, module] = await Promise.all([loadLibrary(), engine])
  const room = createRoom(job.memoryBytes)
  const files = job.snapshot ? createFiles(job, services, room) : undefined
  const ended = await runProgram({ library, module, job, services, controls, files, room })
  if (!files || ended.stopped || ended.signal || job.grants.fs !== 'write') return ended
  const changes = files.changes()
  if (changes.length === 0) return ended
  const stopped = whenStopped(controls)
  const problems: string[] = []
  for (const batch of batchesOf(changes)) {
    const said = await Promise.race([services.flush(batch), stopped])
    if (typeof said === 'string') return { exitCode: null, stopped: said }
    problems.push(...said)
  }
  if (problems.length === 0) return ended
  const { result: _, ...failed } = ended
  for (const problem of problems) controls.output('stderr', `${problem}\n`)
  return { ...failed, exitCode: failed.exitCode || 1 }
}

/** What is written stands on both sides for a while: a part at a time. */
function* batchesOf(changes: Changes): Iterable<Changes> {
  const batch: Change[] = []
  let bytes = 0
  for (const change of changes) {
    batch.push(change)
    bytes += change.do === 'write' ? change.bytes.length : 0
    if (bytes < PIECE && batch.length < BATCH) continue
    yield batch.splice(0)
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

/** Storage may take its time, or hang. */
function whenStopped({ events }: Controls): Promise<EndReason> {
  return new Promise((resolve) => {
    const look = (): void => {
      for (const event of events?.take() ?? []) if ('stop' in event) resolve(event.stop)
    }
    events?.onPush(look)
    look()
  })
}
