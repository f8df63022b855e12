import { type ChildProcess, type ChildProcessWithoutNullStreams, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export const CLI: string = here('../../dist/lib/cli.js')

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Starts the built CLI. `env`: the whole environment of the CLI. Default: the tests' environment without the variables that the CLI reads.
 */
export function startCli(root: string, args: readonly string[], env?: NodeJS.ProcessEnv): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [CLI, ...args], { cwd: root, env: env ?? usualEnv() })
}

export function usualEnv(): NodeJS.ProcessEnv {
  const { TOOLPORT_REGISTRY: _, ...others } = process.env
  return others
}

interface Started {
  readonly child: ChildProcess
  readonly exited: Promise<never>
}

/** Runs the CLI with this text on stdin. */
export type RunCli = (root: string, args: readonly string[], stdin?: string, env?: NodeJS.ProcessEnv) => Promise<Ended>

/**
 * Runs the built CLI in one process for all tests of a file, which ends with them. Tests of signals, terminals, an open stdin or the end of
 * a process need their own process.
 */
export function sharedCli(): RunCli {
  let ready: Promise<Started> | undefined
  let before: Promise<unknown> = Promise.resolve()
  afterAll(async () => void (await ready)?.child.kill('SIGKILL'))
  const start = async (): Promise<Started> => {
    const child = fork(here('./cli-many.mjs'), [new URL('../../dist/src/entries/cli/main.js', import.meta.url).href], { execArgv: [] })
    const exited = once(child, 'exit').then(() => Promise.reject<never>(new Error('The process of the command lines has ended')))
    await Promise.race([once(child, 'message'), exited])
    return { child, exited }
  }
  const run = async (cwd: string, args: readonly string[], stdin = '', env = usualEnv()): Promise<Ended> => {
    ready ??= start()
    const { child, exited } = await ready
    const ended = once(child, 'message')
    child.send({ args, cwd, env, stdin })
    return (await Promise.race([ended, exited]))[0] as Ended
  }
  return (...asked) => {
    const ran = before.then(() => run(...asked))
    before = ran.catch(() => {})
    return ran
  }
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

export interface McpHttp {
  readonly url: URL
  /** Undefined if the environment sets the token, or with `--no-token`. */
  readonly token: string | undefined
  /** What the server has printed until it was ready. */
  readonly stderr: string
  readonly stop: () => Promise<Ended>
}

/** Starts `toolport mcp --http`, and resolves when it listens. Rejects with its stderr if it ends before. */
export async function startMcpHttp(root: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<McpHttp> {
  const child = startCli(root, ['mcp', '--http', ...args], env)
  const end = ended(child)
  let stderr = ''
  await new Promise<void>((resolve, reject) => {
    const wanted = args.includes('--no-token') || env.TOOLPORT_MCP_TOKEN ? /\/mcp\n/ : /Bearer .+\n/
    child.stderr.on('data', (chunk) => {
      stderr += chunk
      if (wanted.test(stderr)) resolve()
    })
    void end.then(() => reject(new Error(stderr)))
  })
  const stop = (): Promise<Ended> => {
    child.kill('SIGTERM')
    return end
  }
  return { url: new URL(/http:\S+/.exec(stderr)?.[0] ?? ''), token: /Bearer (\S+)/.exec(stderr)?.[1], stderr, stop }
}

/** Whether a process runs. A zombie does not count. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc/self/stat') || !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
