import { ShellError } from '../../../src/errors/index.js'
import { checkRoom } from '../../../src/ops/pending-input.js'
import { utf8Length } from '../../../src/ops/utf8.js'
import type { ShellExit, ShellProcess } from '../../../src/types/shell.js'
import { safeListener } from '../../shared/output-buffer.js'
import { messageOf } from '../faults.js'
import { lifeOf } from '../shell/background.js'
import { notRunning } from '../shell/process.js'
import type { PrivateFolder } from './private-folder.js'
import { type Started, type StartOptions, startProgram } from './start-program.js'

export interface BackgroundOptions extends Omit<StartOptions, 'stdin' | 'closed' | 'onOutput' | 'onTaken'> {
  discard(folder: PrivateFolder): Promise<void>
}

/** @throws {JsError} spawn_failed */
export async function startBackground({ discard, ...options }: BackgroundOptions): Promise<ShellProcess> {
  const { program, folder } = options
  const waiting: number[] = []
  const onTaken = (posts: number): void => void waiting.splice(0, posts)
  const started = await startProgram({ ...options, stdin: '', closed: false, onOutput: safeListener(program.onOutput), onTaken }).catch(
    async (error) => {
      await discard(folder)
      throw error
    },
  )
  return processOf(started, waiting, () => discard(folder))
}

function processOf({ running, conversation, inbox, lost }: Started, waiting: number[], remove: () => Promise<void>): ShellProcess {
  const { kill, exited } = lifeOf(running)
  let over = false
  let closed = false
  void lost.then(() => kill('SIGKILL'))

  async function end(exit: ShellExit): Promise<ShellExit> {
    over = true
    conversation.end()
    conversation.finish()
    await remove()
    const { exitCode } = conversation
    return exit.exitCode === null && exit.signal === undefined && exitCode !== undefined ? { exitCode } : exit
  }

  return {
    transport: 'pipe',
    kill,
    exited: exited.then(end),
    async write(text) {
      if (over || closed) throw notRunning()
      if (text === '') return
      const bytes = utf8Length(text)
      checkRoom(
        waiting.reduce((sum, each) => sum + each, 0),
        bytes,
      )
      waiting.push(bytes)
      try {
        await inbox.post({ stdin: text })
      } catch (cause) {
        waiting.pop()
        throw over ? notRunning() : new ShellError('not_running', `Cannot write to the program: ${messageOf(cause)}`, { cause })
      }
    },
    async closeInput() {
      if (over || closed) return
      closed = true
      // A failed post is ignored: the program has ended, so it reads no more input.
      await inbox.post({ closed: true }).catch(() => undefined)
    },
  }
}
