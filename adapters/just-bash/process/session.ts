import { ShellError } from '../../../src/errors/index.js'
import { checkRoom } from '../../../src/ops/pending-input.js'
import { utf8Length } from '../../../src/ops/utf8.js'
import type { ShellProcess } from '../../../src/types/shell.js'
import type { RunningCommand } from '../run-command.js'
import type { Input } from '../stdin/input.js'

/** More than elsewhere: programs of this shell that read their input whole read nothing before its end. */
const MAX_WAITING = 8 * 1024 * 1024

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
      checkRoom(input.waiting, utf8Length(text), MAX_WAITING)
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
