import { loadLibrary } from '../engine/engine.js'
import { createFiles } from '../fs/files.js'
import type { Controls, Ended, EndReason, Job, Services } from '../job.js'
import { createRoom } from '../room.js'
import { runProgram } from './run.js'

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
  const problems = await Promise.race([services.flush(changes), whenStopped(controls)])
  if (typeof problems === 'string') return { exitCode: null, stopped: problems }
  if (problems.length === 0) return ended
  const { result: _, ...failed } = ended
  for (const problem of problems) controls.output('stderr', `${problem}\n`)
  return { ...failed, exitCode: failed.exitCode || 1 }
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
