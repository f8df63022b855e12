import { ShellError, UnsupportedError } from '../errors/index.js'
import type { Host } from '../types/host.js'
import type { Session, SessionInfo, SessionStart } from '../types/session.js'
import type { ShellOutput, ShellProcess } from '../types/shell.js'
import { createSessionInput } from './input.js'
import { bytesOf, keyOf } from './keys.js'
import type { SessionOutput } from './output.js'
import { pause } from './pause.js'
import { createLife } from './process-lifetime.js'

export interface SessionParts {
  readonly host: Host
  readonly id: string
  readonly start: SessionStart
  readonly process: ShellProcess
  /** Past and future output of the process. */
  readonly output: SessionOutput
  readonly idleMs: number | undefined
  /** Ends the process by other means if a KILL does not end it. */
  abort(): void
  /** Called when the process has ended, before anyone who waits for the end is notified. */
  onEnd(): void
}

export interface OwnedSession extends Session {
  /** Takes output. Drops output after the end. */
  push(output: ShellOutput): void
}

/** Creates the session of a running process. */
export function createSession({ host, id, start, process, output, idleMs, abort, onEnd }: SessionParts): OwnedSession {
  const { kind, name, command, cwd } = start
  const { transport, pid } = process
  const createdMs = host.now()
  let updatedMs = createdMs
  let terminal = transport === 'pty' ? start.terminal : undefined
  /** Wakes pending waits so that they check their condition. */
  const waits = new Set<() => void>()

  const changed = (): void => {
    updatedMs = host.now()
    for (const look of [...waits]) look()
  }
  const life = createLife(host, process, {
    abort,
    onEnd: () => {
      output.end()
      updatedMs = host.now()
      onEnd()
    },
  })
  life.ended.addEventListener('abort', changed, { once: true })
  const input = createSessionInput(id, process, life)
  const infoOf = (): SessionInfo => ({
    id,
    kind,
    name,
    command,
    cwd,
    transport,
    terminalAsked: start.terminal !== undefined,
    ...(terminal && { terminal }),
    ...(pid !== undefined && { pid }),
    createdMs,
    updatedMs,
    state: life.state,
    stopping: life.stopping,
    exitCode: life.exit?.exitCode ?? null,
    ...(life.exit?.signal !== undefined && { signal: life.exit.signal }),
    unread: output.unread,
  })

  const write = async (text: string): Promise<number> => {
    const bytes = await input.write(text)
    updatedMs = host.now()
    return bytes
  }

  const session: OwnedSession = {
    id,
    get info() {
      return infoOf()
    },
    exited: life.exited,
    push(piece) {
      if (!life.running || piece.text === '') return
      output.push(piece)
      changed()
    },
    read: output.read,
    async wait(ms, { stream = 'both', signal } = {}) {
      const over = new AbortController()
      const look = (): void => {
        if (output.has(stream) || !life.running || signal?.aborted) over.abort()
      }
      look()
      waits.add(look)
      signal?.addEventListener('abort', look)
      await pause(host, ms, over.signal)
      waits.delete(look)
      signal?.removeEventListener('abort', look)
    },
    write,
    async press(name, { repeat = 1 } = {}) {
      const key = keyOf(name)
      if (transport === 'pty') return write(bytesOf(key, output.applicationKeys).repeat(repeat))
      if (key === 'ctrl+c') return interrupt(repeat)
      if (key === 'ctrl+d' && process.closeInput) {
        await input.close()
        updatedMs = host.now()
        return 0
      }
      // A terminal would turn the carriage return of Enter into a line feed. Without one, send the line feed itself.
      return write((key === 'enter' ? '\n' : bytesOf(key, output.applicationKeys)).repeat(repeat))
    },
    async resize(size) {
      if (transport !== 'pty' || !process.resize)
        throw new UnsupportedError('terminal', `Cannot resize session "${id}": it runs on pipes and has no terminal`)
      if (!life.running) throw new ShellError('not_running', `Cannot resize session "${id}": it has ended`)
      await process.resize(size)
      terminal = { cols: size.cols, rows: size.rows }
    },
    async stop(options) {
      const escalated = await life.stop(options)
      return { ...infoOf(), escalated }
    },
    kill: life.kill,
    onOutput: output.listen,
  }

  const interrupt = async (times: number): Promise<number> => {
    if (!life.running) throw new ShellError('not_running', `Cannot press ctrl+c in session "${id}": it has ended`)
    for (let i = 0; i < times; i++) await life.kill('SIGINT')
    updatedMs = host.now()
    return 0
  }

  const watchIdle = async (idle: number): Promise<void> => {
    while (life.running) {
      const left = updatedMs + idle - host.now()
      if (left > 0) await pause(host, left, life.ended)
      else await life.stop()
    }
  }
  if (idleMs !== undefined) void watchIdle(idleMs)
  return session
}
