import { createWorkspace } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { jqHere } from '../adapters/jq-here.js'
import { SEED } from './seed.js'

/** One command line as an agent sends it, run in a fresh copy of the seed project. */
export interface Case {
  readonly script: string
  /** Standard input; empty where left out. */
  readonly stdin?: string
}

/** What bash and the GNU tools of fidelity/versions.json printed. */
export interface Recorded extends Case {
  readonly family: string
  readonly stdout: string
  readonly exitCode: number
}

export interface Answer {
  readonly stdout: string
  readonly exitCode: number | null
  readonly stderr: string
}

/** The variables that the recording had, beside those that the shell sets. */
const ENV = { LANG: 'C.UTF-8', TZ: 'UTC', TERM: 'dumb' }
/** Far above what any case needs. */
const TIMEOUT_MS = 30_000

/** Runs a case in a virtual shell of its own, over a fresh copy of the seed. */
export async function runCase({ script, stdin = '' }: Case): Promise<Answer> {
  const workspace = createWorkspace({ fs: createMemoryFs({ files: SEED }) })
  const shell = createJustBashShell({ scratch: createMemoryFs(), env: ENV, jq: await jqHere() })(workspace)
  try {
    return await shell.exec(script, { stdin, timeoutMs: TIMEOUT_MS })
  } finally {
    await shell.close?.()
  }
}
