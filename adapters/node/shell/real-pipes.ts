import { execFile } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Number of pipes per call of `mkfifo`, which costs as much as a command. */
const BATCH = 8
const PROBE_MS = 10_000

const run = promisify(execFile)

/** Descriptors of both ends. The caller closes them. */
export interface RealPipe {
  readonly read: number
  readonly write: number
}

export interface PipePool {
  /** Returns `count` pipes, or undefined if they are unavailable or not needed. */
  take(count: number): Promise<RealPipe[] | undefined>
  close(): void
}

/**
 * Provides real pipes for the output of commands. Node uses sockets, which Linux does not open by name, so `echo > /dev/stderr` would fail.
 * Node cannot create pipes, so this opens named pipes and removes their names at once. Named pipes are not suitable for input: without a
 * writer, a named pipe waits for the next writer instead of reporting the end.
 */
export function createPipePool(): PipePool {
  const free: RealPipe[] = []
  let usable = process.platform === 'linux'
  let closed = false
  let filling: Promise<void> | undefined

  async function fill(): Promise<void> {
    try {
      for (const pipe of await makePipes()) free.push(pipe)
      if (closed) drop()
    } catch {
      // `mkfifo` is missing, the disk is full, or no descriptors are left. Fall back to sockets, which work for nearly everything.
      usable = false
    } finally {
      filling = undefined
    }
  }

  function drop(): void {
    for (const pipe of free.splice(0)) closePipe(pipe)
  }

  return {
    async take(count) {
      while (usable && !closed && free.length < count) {
        filling ??= fill()
        await filling
      }
      return free.length < count ? undefined : free.splice(0, count)
    },
    close() {
      closed = true
      drop()
    },
  }
}

export function closePipe({ read, write }: RealPipe): void {
  closeSync(read)
  closeSync(write)
}

async function makePipes(): Promise<RealPipe[]> {
  const folder = await mkdtemp(join(tmpdir(), 'toolport-pipes-'))
  const made: RealPipe[] = []
  try {
    const names = Array.from({ length: BATCH }, (_, i) => join(folder, `${i}`))
    await run('mkfifo', ['-m', '600', ...names], { timeout: PROBE_MS })
    for (const name of names) made.push(openBoth(name))
    return made
  } catch (error) {
    for (const pipe of made) closePipe(pipe)
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

/** Opens the reader first, without blocking. The writer then finds a reader, so it does not block either. */
function openBoth(name: string): RealPipe {
  const read = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return { read, write: openSync(name, constants.O_WRONLY) }
  } catch (error) {
    closeSync(read)
    throw error
  }
}
