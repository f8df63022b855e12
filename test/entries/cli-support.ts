import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const CLI: string = fileURLToPath(new URL('../../dist/src/entries/cli.js', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The built command line. `env` is its whole environment; default that of the tests, without what the command line looks for there. */
export function startCli(root: string, args: readonly string[], env?: NodeJS.ProcessEnv): ChildProcessWithoutNullStreams {
  const { TOOLPORT_REGISTRY: _, ...others } = process.env
  return spawn(process.execPath, [CLI, ...args], { cwd: root, env: env ?? others })
}

export function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}
