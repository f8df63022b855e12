import { createWorkspace } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { jqHere } from '../adapters/jq-here.js'
import { SEED } from './seed.js'

/** A command line that an agent might send. Each case runs in a new copy of the seed project. */
export interface Case {
  readonly script: string
  /** Standard input. Default: empty. */
  readonly stdin?: string
}

/** A case with the output of bash and the GNU tools, in the versions of fidelity/versions.json. */
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

/** Variables of the recording that the shell does not set itself. */
const ENV = { LANG: 'C.UTF-8', TZ: 'UTC', TERM: 'dumb' }
/** Milliseconds, much longer than any case needs. */
const TIMEOUT_MS = 30_000

/** Runs a case in its own virtual shell, on a new copy of the seed. */
export async function runCase({ script, stdin = '' }: Case): Promise<Answer> {
  const workspace = createWorkspace({ fs: createMemoryFs({ files: SEED }) })
  const shell = createJustBashShell({ scratch: createMemoryFs(), env: ENV, jq: await jqHere() })(workspace)
  try {
    return await shell.exec(script, { stdin, timeoutMs: TIMEOUT_MS })
  } finally {
    await shell.close?.()
  }
}
