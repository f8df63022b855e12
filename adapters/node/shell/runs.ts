import type { ShellProcess } from '../../../src/types/shell.js'
import type { Stop } from '../../shared/process/stop.js'
import type { Background } from './background.js'

/** The running commands of an adapter. They end when the adapter closes. */
export interface Runs {
  /** Disposes of `stop` when `running` settles. */
  run<T>(stop: Stop, running: Promise<T>): Promise<T>
  /** Ends the process when `stop` is triggered, even while the process is starting. */
  spawn(stop: Stop, starting: Promise<Background>): Promise<ShellProcess>
  /** Ends all commands and waits for them. */
  end(): Promise<void>
}

export function createRuns(): Runs {
  const running = new Map<Stop, Promise<unknown>>()
  const done = (stop: Stop): void => {
    stop.dispose()
    running.delete(stop)
  }
  return {
    async run(stop, result) {
      running.set(stop, result)
      try {
        return await result
      } finally {
        done(stop)
      }
    },
    async spawn(stop, starting) {
      const over = starting.then(
        ({ process }) => process.exited,
        () => {},
      )
      running.set(stop, over)
      void over.then(() => done(stop))
      const background = await starting
      void stop.happened.then(() => background.end())
      return background.process
    },
    async end() {
      for (const stop of running.keys()) stop.abort()
      await Promise.allSettled(running.values())
    },
  }
}
