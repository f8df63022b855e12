import { NetworkError } from '../../../src/errors/index.js'
import type { HeadTail } from '../../../src/ops/truncate.js'
import { installError } from '../../../src/packages/install/faults.js'
import type { ManagerName } from './commands.js'

const MOST_LINES = 20
const LONGEST = 2000

/** Lines that help nobody who reads the error. */
const NOISE = /A complete log of this run|^\s*$|npm warn Unknown (?:user|project|env) config|Update available|^npm (?:error|warn)\s*$/

/** What their words for it have in common. */
const UNKNOWN = /\bE404\b|ERR_PNPM_FETCH_404|Couldn't find package|error: .* failed to resolve|Package not found/i
const NO_VERSION = /\bETARGET\b|ERR_PNPM_NO_MATCHING_VERSION|Couldn't find any versions|No version matching|No candidates found/i
const NETWORK =
  /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EAI_AGAIN|EINTEGRITY|E401|E403|E5\d\d)\b|ERR_PNPM_(?:FETCH_|META_FETCH)|network (?:request|error)/i

/** A manager that failed, in its own words, which are clean already. */
export function failureOf(
  manager: ManagerName,
  code: number,
  { stdout, stderr }: { readonly stdout: HeadTail; readonly stderr: HeadTail },
): Error {
  const cut = (): string => '\n[...]\n'
  const said = tailOf(stderr.finish(cut).text)
  // Some say on stdout what is wrong.
  const words = said === '' || !/err/i.test(said) ? `${tailOf(stdout.finish(cut).text)}\n${said}`.trim() : said
  const message = `${manager} could not install (exit code ${code})${words === '' ? '' : `:\n${words}`}`
  const details = { package_manager: manager, exit_code: code }
  if (UNKNOWN.test(words)) return installError('unknown_package', message, details)
  if (NO_VERSION.test(words)) return installError('no_version', message, details)
  if (NETWORK.test(words)) return new NetworkError('network', message)
  return installError('manager', message, details)
}

function tailOf(text: string): string {
  const lines = text.split('\n').filter((line) => !NOISE.test(line))
  return lines.slice(-MOST_LINES).join('\n').slice(-LONGEST)
}
