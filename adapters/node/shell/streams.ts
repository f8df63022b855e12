import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Duplex, Readable, Writable } from 'node:stream'
import { closePipe, type RealPipe } from './real-pipes.js'
import { COMMAND_FD, type Invocation, REPORT_FD } from './script.js'

export interface SpawnedOptions extends Omit<Invocation, 'scratch'>, Pick<SpawnOptions, 'cwd' | 'env'> {
  /** Without: empty and closed. */
  readonly hasInput: boolean
  readonly reports: boolean
  /** For stdout and stderr; without them sockets. Closed here when they are not needed any more. */
  readonly pipes?: readonly RealPipe[] | undefined
}

/** A process, and our ends of its pipes. */
export interface Spawned {
  readonly child: ChildProcess
  readonly stdin?: Writable | undefined
  readonly stdout: Readable
  readonly stderr: Readable
  readonly report?: Duplex | undefined
  readonly command?: Writable | undefined
}

/** Rejects with what the system said. */
export async function spawnPiped({ file, args, cwd, env, feed, hasInput, reports, pipes = [] }: SpawnedOptions): Promise<Spawned> {
  const [out, err] = pipes
  const command = feed === undefined ? [] : ['pipe' as const]
  try {
    const child = spawn(file, args, {
      cwd,
      env,
      detached: true,
      stdio: [hasInput ? 'pipe' : 'ignore', out?.write ?? 'pipe', err?.write ?? 'pipe', reports ? 'pipe' : 'ignore', ...command],
    })
    if (child.pid === undefined) await new Promise((_, reject) => child.once('error', reject))
    // A signal that could not be sent, for instance; there is nobody to tell.
    child.on('error', () => {})
    for (const { write } of pipes) closeSync(write)
    return {
      child,
      stdin: child.stdin ?? undefined,
      stdout: out ? reader(out) : (child.stdout as Readable),
      stderr: err ? reader(err) : (child.stderr as Readable),
      report: (child.stdio[REPORT_FD] as Duplex | null | undefined) ?? undefined,
      command: (child.stdio[COMMAND_FD] as Writable | undefined) ?? undefined,
    }
  } catch (error) {
    for (const pipe of pipes) closePipe(pipe)
    throw error
  }
}

function reader({ read }: RealPipe): Readable {
  return new Socket({ fd: read, readable: true, writable: false })
}
