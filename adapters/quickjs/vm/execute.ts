import { loadLibrary } from '../engine/engine.js'
import { type EngineSource, engineModule } from '../engine/wasm.js'
import { createFiles } from '../fs/files.js'
import type { Controls, Ended, Job, Services } from '../job.js'
import { runProgram } from './run.js'

/** Runs a program, and writes what it has changed when it has ended by itself. @throws {JsError} unavailable */
export async function execute(wasm: EngineSource | undefined, job: Job, services: Services, controls: Controls): Promise<Ended> {
  const [library, module] = await Promise.all([loadLibrary(), engineModule(wasm)])
  const files = job.snapshot ? createFiles(job, services) : undefined
  const ended = await runProgram({ library, module, job, services, controls, files })
  if (!files || ended.stopped || ended.signal || job.grants.fs !== 'write') return ended
  const changes = files.changes()
  if (changes.length === 0) return ended
  const problems = await services.flush(changes)
  if (problems.length === 0) return ended
  const { result: _, ...failed } = ended
  for (const problem of problems) controls.output('stderr', `${problem}\n`)
  return { ...failed, exitCode: failed.exitCode || 1 }
}
