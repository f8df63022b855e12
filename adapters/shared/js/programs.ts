import { JsError } from '../../../src/errors/index.js'
import type { JsProgram, JsResult, JsRunOptions } from '../../../src/types/js.js'
import type { ShellProcess } from '../../../src/types/shell.js'
import { type BeginProgram, type RunningProgram, runProgram, spawnProgram } from './run-program.js'

/** The running programs of an adapter. `close` stops them and waits until all have ended. */
export interface Programs {
  /** @throws {JsError} unavailable */
  checkOpen(): void
  /** Stops the program when the adapter is closed. `begin` must call this method as soon as the program exists. */
  keep(program: RunningProgram): RunningProgram
  run(given: JsRunOptions, begin: BeginProgram): Promise<JsResult>
  spawn(program: JsProgram, begin: BeginProgram): Promise<ShellProcess>
  close(): Promise<void>
}

/** @param check throws if programs cannot run at all */
export function createPrograms(check?: () => void): Programs {
  let closed = false
  const running = new Set<RunningProgram>()
  const checkOpen = (): void => {
    check?.()
    if (closed) throw new JsError('unavailable', 'Cannot run the program: the adapter is closed')
  }
  return {
    checkOpen,
    keep(program) {
      running.add(program)
      if (closed) program.stop('abort')
      const end = (): void => void running.delete(program)
      program.ended.then(end, end)
      return program
    },
    async run(given, begin) {
      checkOpen()
      return runProgram(given, begin)
    },
    async spawn(program, begin) {
      checkOpen()
      return spawnProgram(program, begin)
    },
    async close() {
      closed = true
      const all = [...running]
      for (const one of all) one.stop('abort')
      await Promise.allSettled(all.map(({ ended }) => ended))
    },
  }
}
