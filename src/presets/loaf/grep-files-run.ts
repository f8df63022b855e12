import { InputError } from '../../errors/index.js'
import { compilePattern, type LineMatcher } from '../../ops/compile-pattern.js'
import { visibleName } from '../../ops/visible-name.js'
import { filterOf } from '../../tools/search/exclusions.js'
import { collect } from '../../tools/search/grep-collect.js'
import { askedOf } from '../../tools/search/grep-files.js'
import type { GrepInput } from '../../tools/search/grep-output.js'
import { timesOf } from '../../tools/search/stat-entries.js'
import type { ToolContext } from '../../types/tool.js'
import type { GrepFilesInput } from './inputs.js'

const TIMEOUT_S = 30

/** The answer to a search without a match. As documented, its result has no error, but `ok` is false (`toWire`). */
export const NO_MATCHES = 'No matches found.'

/** Implements `grep_files`. */
export async function runGrepFiles(input: GrepFilesInput, context: ToolContext): Promise<string> {
  const matcher = await compile(input, context)
  const found = await inTime(context, (signal) => search(input, withSignal(context, signal), matcher))
  const times = await timesOf(
    context.workspace,
    found.map((path) => ({ path })),
  )
  const order = [...found.keys()].sort((a, b) => (times[b] ?? 0) - (times[a] ?? 0) || a - b)
  const paths = order.slice(0, input.limit).map((i) => visibleName(found[i] as string))
  return paths.length === 0 ? NO_MATCHES : paths.join('\n')
}

const failed = (reason: string): InputError => new InputError('invalid_input', `rg failed: ${reason}`)

/** @throws {InputError} `rg failed: ...` for an invalid pattern or glob */
async function compile(input: GrepFilesInput, context: ToolContext): Promise<LineMatcher> {
  try {
    if (input.include !== undefined) await filterOf(context, askedOf(searchOf(input)))
  } catch (error) {
    throw error instanceof InputError ? failed(error.message.replace(/^Cannot use /, '')) : error
  }
  try {
    return await compilePattern(input.pattern)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    const reason = error.issues[0]?.message ?? error.message
    // Drop advice that names fields of the standard tool.
    throw failed(reason.replace(/: (?:use RE2 syntax, or set literal to|set multiline to) .*$|, then filter the lines .*$/s, ''))
  }
}

/**
 * Finds all files with a match, in path order. All are needed to find the newest. @throws {InputError} for a glob that may be a mistake,
 * and if there are only links
 */
async function search(input: GrepFilesInput, context: ToolContext, matcher: LineMatcher): Promise<readonly string[]> {
  const { files = [], files_searched, skipped, interrupted, hint } = await collect(searchOf(input), context, matcher)
  if (interrupted) context.signal.throwIfAborted()
  if (files_searched === 0 && hint !== undefined) throw failed(`${hint.slice(0, 1).toLowerCase()}${hint.slice(1)}`)
  const { links = 0 } = skipped ?? {}
  if (files_searched === 0 && links > 0) throw failed(`no file was searched, ${links} symbolic links were not followed: give one as path`)
  return files
}

function searchOf({ path, include }: GrepFilesInput): GrepInput {
  const all = { output: 'files', before: 0, after: 0, hidden: false, ignore: true, limit: Number.MAX_SAFE_INTEGER } as const
  return { ...all, path, glob: include }
}

/**
 * Runs `body` with a time limit, without waiting for a storage that hangs. @throws {InputError} after the time limit; errors of the body;
 * the signal's reason
 */
async function inTime<T>({ host, signal }: ToolContext, body: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  const done = new AbortController()
  const end = async (): Promise<never> => {
    await host.sleep(TIMEOUT_S * 1000, done.signal)
    late.abort()
    throw new InputError('invalid_input', `rg timed out after ${TIMEOUT_S} seconds`)
  }
  try {
    return await Promise.race([body(AbortSignal.any([signal, late.signal])), end()])
  } finally {
    done.abort()
  }
}

/** Copies the context with another signal. Copies field by field, because the context's own signal is a getter. */
function withSignal(context: ToolContext, signal: AbortSignal): ToolContext {
  const { workspace, sessions, host, limits, versions, log, progress, now, callId } = context
  return { workspace, sessions, host, limits, versions, log, progress, now, callId, signal }
}
