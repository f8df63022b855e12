import { InputError, ShellError } from '../../../errors/index.js'
import { codePointBoundary } from '../../../ops/utf8.js'
import type { ToolRuntime } from '../../../runtime/tool-runtime.js'
import type { Session } from '../../../types/session.js'
import type { ShellExit } from '../../../types/shell.js'
import type { Calls } from '../shared/calls.js'
import { freshShell } from '../shared/command.js'
import { createOutputStream, type OutputStream } from './output-stream.js'
import type { AiSdkProcess, AiSdkSpawnOptions, AiSdkWritableProcess } from './types.js'

const STDIN_TOOL = 'write_background_bash'

/**
 * Runs a command as a background session of the runtime. The session ends at the latest when the runtime is disposed.
 * @throws TypeError for `stdin` without the tool that writes to it; the reason of the signal; ToolCallError for a denied command
 */
export async function spawnProcess(calls: Calls, options: AiSdkSpawnOptions): Promise<AiSdkProcess | AiSdkWritableProcess> {
  const { runtime, signal } = calls
  const { command, workingDirectory, env, stdin = false } = options
  const offered = runtime.getModelManifest()
  if (stdin && !offered.some(({ name }) => name === STDIN_TOOL))
    throw new TypeError(`Cannot give the process a stdin: the runtime has no tool "${STDIN_TOOL}"`)
  const streams = { stdout: createOutputStream('stdout'), stderr: createOutputStream('stderr') }
  const session = await start(calls, freshShell({ command, cwd: workingDirectory, env }), streams)
  if (signal?.aborted) {
    await session.stop({ force: true })
    throw signal.reason
  }
  const onAbort = (): void => void session.stop({ force: true })
  signal?.addEventListener('abort', onAbort, { once: true })
  const ended = session.exited.then((exit) => {
    signal?.removeEventListener('abort', onAbort)
    streams.stdout.end()
    streams.stderr.end()
    return { exit, reason: signal?.aborted ? { of: signal.reason } : undefined }
  })
  // Ignore the error of a process that has already ended.
  if (!stdin) await session.press('ctrl+d').catch(() => undefined)
  const { pid } = session.info
  return {
    ...(pid !== undefined && { pid }),
    stdout: streams.stdout.readable,
    stderr: streams.stderr.readable,
    ...(stdin && { stdin: createInputStream(calls, session) }),
    async wait() {
      const { exit, reason } = await ended
      if (reason) throw reason.of
      return { exitCode: exitCodeOf(exit) }
    },
    async kill() {
      await session.stop()
    },
  }
}

type Streams = Readonly<Record<'stdout' | 'stderr', OutputStream>>

/**
 * Starts the session. Listens to its output as soon as the session exists, because `bash` returns later, and earlier output would be lost.
 */
async function start(calls: Calls, input: Readonly<Record<string, unknown>>, streams: Streams): Promise<Session> {
  const { sessions, workspace } = calls.runtime
  const session_name = `sandbox ${Math.floor(workspace.host.random() * 2 ** 48).toString(36)}`
  let found: Session | undefined
  const stop = sessions.onChange(() => {
    if (found) return
    found = named(calls.runtime, session_name)
    found?.onOutput(({ stream, text }) => streams[stream].push(text))
  })
  try {
    await calls.run('bash', { ...input, run_in_background: true, session_name, reuse_session: false })
  } catch (error) {
    await found?.stop({ force: true })
    throw error
  } finally {
    stop()
  }
  if (found) return found
  throw new ShellError('unavailable', 'Cannot follow the process: its session does not exist')
}

const named = ({ sessions }: ToolRuntime, name: string): Session | undefined => sessions.list().find(({ info }) => info.name === name)

function exitCodeOf({ exitCode, signal }: ShellExit): number {
  if (exitCode !== null) return exitCode
  throw new ShellError('not_running', `Cannot get the exit code: the process was ended${signal === undefined ? '' : ` by ${signal}`}`)
}

/** Maximum characters per call. A program may have at most 1 MiB of unread UTF-8. */
const PIECE = 64 * 1024
/** Pause before a retry while the program does not read, in milliseconds. */
const PAUSE_MS = 50
const TOOL = 'write_background_bash'

/** Writes to the standard input of the session. Waits while the program does not read. */
function createInputStream(calls: Calls, session: Session): WritableStream<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const decode = (bytes: Uint8Array | undefined): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch {
      throw new InputError('invalid_input', 'Cannot write to stdin: these bytes are not UTF-8 text')
    }
  }
  return new WritableStream<Uint8Array>({
    async write(chunk) {
      const text = decode(chunk)
      for (let at = 0, end = 0; at < text.length; at = end) {
        end = codePointBoundary(text, at + PIECE)
        await send(calls, session, { input: text.slice(at, end), append_newline: false })
      }
    },
    async close() {
      decode(undefined)
      // If the process has ended, its input is closed already.
      if (session.info.state === 'running') await send(calls, session, { key: 'ctrl+d' })
    },
    async abort() {
      await session.press('ctrl+d').catch(() => undefined)
    },
  })
}

async function send(calls: Calls, session: Session, input: Readonly<Record<string, unknown>>): Promise<void> {
  const { host } = calls.runtime.workspace
  for (;;) {
    const result = await calls.attempt(TOOL, { session_id: session.id, ...input })
    if (result.ok) return
    if (result.output.code !== 'input_full') throw calls.failed(result)
    await host.sleep(PAUSE_MS, calls.signal)
  }
}
