import { readSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { ShellError } from '../../../src/errors/index.js'
import { PendingInput } from '../../../src/ops/pending-input.js'
import type { ShellExit, TerminalSize } from '../../../src/types/shell.js'
import { errnoOf } from '../faults.js'
import { type Background, type BackgroundOptions, notRunning, shellExit } from './background.js'
import { discharge, endRemnant, enlist, waitUntil } from './group.js'
import type { PtyLike, PtyModuleLike } from './pty.js'
import { removeScratch } from './scratch.js'
import { signalSession } from './session-members.js'

/** Milliseconds between TERM and KILL when the command is stopped, and maximum milliseconds to wait for the exit after KILL. */
const STOP_MS = 150
const KILLED_MS = 2000
const PIECE = 64 * 1024
/** Initial and maximum pause in milliseconds between two attempts to write to a full terminal. */
const PAUSE_MS = 1
const MAX_PAUSE_MS = 50

export interface TerminalOptions extends BackgroundOptions {
  readonly size: TerminalSize
}

/**
 * Starts a command on its own terminal, as the leader of a session. While the command reads lines, the system truncates input lines of more
 * than 4095 bytes, as on every terminal.
 *
 * @throws {ShellError} `spawn_failed`
 */
export function startOnTerminal(module: PtyModuleLike, options: TerminalOptions): Background {
  const pty = open(module, options)
  enlist(pty.pid, signalSession)
  const writes = createWrites(pty)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  /** Whether the terminal is closed. A command may close its terminal long before it ends. */
  let over = false
  let ended = false
  const tell = (text: string): void => {
    if (text !== '') options.onOutput({ stream: 'stdout', text })
  }
  const hear = (data: string | Uint8Array): void => tell(typeof data === 'string' ? data : decoder.decode(data, { stream: true }))
  pty.onData(hear)
  const close = (): void => {
    over = true
    writes.end()
  }
  beforeDestroy(pty, () => {
    readRest(pty.fd, hear)
    // Close now, because the system may soon reuse the descriptor for another file.
    close()
  })
  pty.on?.('close', close)
  const exited = new Promise<ShellExit>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      close()
      ended = true
      tell(decoder.decode())
      removeScratch(options.scratch)
      void endRemnant(pty.pid, signalSession).then(() => {
        discharge(pty.pid)
        resolve(shellExit(signal ? { code: 128 + signal, signal: nameOf(signal) } : { code: exitCode }))
      })
    })
  })
  let gone = false
  void exited.then(() => {
    gone = true
  })
  return {
    process: {
      transport: 'pty',
      pid: pty.pid,
      write: async (text) => {
        if (over) throw notRunning()
        await writes.write(text)
      },
      resize: async ({ cols, rows }) => {
        if (!over) pty.resize(cols, rows)
      },
      kill: async (signal) => {
        if (!ended) signalSession(pty.pid, signal)
      },
      exited,
    },
    async end() {
      if (gone) return
      signalSession(pty.pid, 'SIGTERM')
      await waitUntil(() => gone, STOP_MS)
      if (!gone) signalSession(pty.pid, 'SIGKILL')
      await waitUntil(() => gone, KILLED_MS)
    },
  }
}

function open(module: PtyModuleLike, { file, args, cwd, env, size, scratch }: TerminalOptions): PtyLike {
  try {
    const { cols, rows } = size
    return module.spawn(file, [...args], { name: env.TERM ?? '', cols, rows, cwd, env: { ...env }, encoding: null })
  } catch (cause) {
    removeScratch(scratch)
    throw new ShellError('spawn_failed', 'Cannot start the command on a terminal: the system gives none; start it without one', { cause })
  }
}

/**
 * Runs `action` before the terminal's stream closes the descriptor. The module offers no event for this. It destroys the stream 200 ms
 * after the exit, by a clock that may be late. On a busy machine, this may be before the first read.
 */
function beforeDestroy({ _socket: stream }: PtyLike, action: () => void): void {
  if (!stream) return
  const { _destroy } = stream
  stream._destroy = (error, callback) => {
    action()
    _destroy.call(stream, error, callback)
  }
}

/**
 * Reads the remaining output when the terminal's stream is destroyed. When the other end is closed, Node takes a short read for the last
 * one, but a terminal returns at most 4 KiB at a time. The read never blocks, because it returns data or an error.
 */
function readRest(fd: number | undefined, hear: (data: Uint8Array) => void): void {
  if (fd === undefined) return
  try {
    for (;;) {
      const piece = Buffer.alloc(PIECE)
      const size = readSync(fd, piece, 0, PIECE, null)
      if (size === 0) return
      hear(piece.subarray(0, size))
    }
  } catch {
    // EIO: the end. EAGAIN: another process holds the terminal open, and its later output is dropped.
  }
}

interface Writes {
  /** Resolves when the terminal has accepted all of the text. */
  write(text: string): Promise<void>
  /** Rejects the pending writes. */
  end(): void
}

/**
 * Writes texts in order, as fast as the terminal accepts input. Bypasses the terminal's stream, with which Node would block the event loop
 * until the terminal has room, and forever if the command does not read.
 */
function createWrites(pty: PtyLike): Writes {
  let last: Promise<unknown> = Promise.resolve()
  let over = false
  const pending = new PendingInput()
  // An error means the end of the terminal, which `onExit` reports.
  pty.on?.('error', () => {})

  async function write(fd: number, text: string): Promise<void> {
    let pause = PAUSE_MS
    for (let rest: Uint8Array = Buffer.from(text); rest.length > 0; ) {
      if (over) throw notRunning()
      const taken = writeSome(fd, rest)
      rest = rest.subarray(taken)
      pause = taken > 0 ? PAUSE_MS : Math.min(pause * 2, MAX_PAUSE_MS)
      if (taken === 0) await setTimeout(pause)
    }
  }

  return {
    async write(text) {
      const { fd } = pty
      if (fd === undefined) return pty.write(text)
      await pending.hold(text, () => {
        const writing = last.then(() => write(fd, text))
        last = writing.catch(() => {})
        return writing
      })
    },
    end() {
      over = true
    },
  }
}

function writeSome(fd: number, bytes: Uint8Array): number {
  try {
    return writeSync(fd, bytes)
  } catch (error) {
    if (errnoOf(error) === 'EAGAIN') return 0
    throw notRunning()
  }
}

function nameOf(signal: number): NodeJS.Signals | undefined {
  const names = Object.entries(constants.signals) as [NodeJS.Signals, number][]
  return names.find(([, number]) => number === signal)?.[0]
}
