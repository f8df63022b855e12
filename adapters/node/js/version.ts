import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { JsError } from '../../../src/errors/index.js'

export interface NodeVersion {
  readonly major: number
  readonly minor: number
}

const PROBE_MS = 10_000
/** First version that supports module hooks and all flags used here. */
const OLDEST: NodeVersion = { major: 20, minor: 19 }

/** @throws {JsError} unavailable */
export async function versionOf(execPath: string): Promise<NodeVersion> {
  const version = parse(execPath === process.execPath ? process.versions.node : await ask(execPath))
  if (isAtLeast(version, OLDEST)) return version
  throw new JsError('unavailable', `Cannot run JavaScript: it needs Node ${OLDEST.major}.${OLDEST.minor} or newer`)
}

export function isAtLeast({ major, minor }: NodeVersion, least: NodeVersion): boolean {
  return major > least.major || (major === least.major && minor >= least.minor)
}

async function ask(execPath: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(execPath, ['-p', 'process.versions.node'], { timeout: PROBE_MS, env: {} })
    return stdout
  } catch (cause) {
    throw new JsError('unavailable', 'Cannot run JavaScript: `execPath` is no Node that runs', { cause })
  }
}

function parse(text: string): NodeVersion {
  const [major = 0, minor = 0] = text.trim().split('.').map(Number)
  return { major, minor }
}
