// Baselines for the shell benchmarks, which run the same command without Toolport: one reused just-bash with its own in-memory file
// system, and one bash process per command.
import { spawn } from 'node:child_process'
import { Bash } from 'just-bash/browser'

export interface BareBash {
  exec(command: string): Promise<{ readonly exitCode: number; readonly stdout: string }>
}

/** Limit of the bare just-bash, as high as our own. With its defaults, just-bash fails on a text of a few megabytes. */
const LIMIT = 1e9
const executionLimits = {
  maxCommandCount: LIMIT,
  maxLoopIterations: LIMIT,
  maxAwkIterations: LIMIT,
  maxSedIterations: LIMIT,
  maxArrayElements: LIMIT,
  maxOutputSize: LIMIT,
  maxStringLength: LIMIT,
}

export function bareBash(files: Record<string, string> = {}): BareBash {
  return new Bash({ files, cwd: '/workspace', defenseInDepth: false, executionLimits })
}

export function bareProcess(command: string, cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-c', command], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    const pieces: Buffer[] = []
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece))
    child.on('error', reject)
    child.on('close', () => resolve(Buffer.concat(pieces).toString()))
  })
}
