import { ShellError } from '../../../src/errors/index.js'
import type { ShellProcess } from '../../../src/types/shell.js'
import type { RunningCommand } from '../run-command.js'
import type { Input } from '../stdin/input.js'

/** A command that runs beside the calls, as its caller sees it. */
export function shellProcess({ process, ended, jobs }: RunningCommand, input: Input): ShellProcess {
  let over = false
  const exited = ended.then(
    ({ exit }) => exit,
    () => ({ exitCode: 1 }),
  )
  void exited.then(() => {
    over = true
  })
  const check = (): void => {
    if (over || input.closed) throw new ShellError('not_running', over ? 'The command has ended.' : 'The input of the command is closed.')
  }
  return {
    transport: 'pipe',
    exited,
    async write(text) {
      check()
      input.write(text)
    },
    async closeInput() {
      if (!over) input.close()
    },
    async kill(signal) {
      if (over) return
      for (const job of [...jobs.all()]) if (job.status === undefined) job.process.signal(signal)
      process.signal(signal)
    },
  }
}
