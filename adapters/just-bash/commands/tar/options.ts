import { fitsWildcard } from '../../../../src/ops/wildcard.js'
import { Failure } from '../shared/failure.js'
import { type Given, parseOptions } from '../shared/options.js'

export const HINT = "Try 'tar --help' or 'tar --usage' for more information."
const USAGE_STATUS = 64
const FATAL = 2

const SPECS =
  'c|create x|extract|get t|list r|append u|update A|catenate|concatenate! d|diff|compare! delete! ' +
  'f|file= C|directory= v|verbose z|gzip|gunzip|ungzip a|auto-compress j|bzip2! J|xz! Z|compress! zstd! lzip! lzma! ' +
  'O|to-stdout k|keep-old-files skip-old-files overwrite U|unlink-first m|touch p|preserve-permissions|same-permissions ' +
  'o|no-same-owner no-same-permissions same-owner! exclude= X|exclude-from= T|files-from= h|dereference no-recursion recursion strip-components= ' +
  'wildcards no-wildcards sort= owner= group= numeric-owner mtime= format= totals exclude-vcs'

/** Options of GNU tar that are not supported here, with alternatives. */
const ABSENT: Readonly<Record<string, string>> = {
  A: 'archives cannot be joined here: make a new one with -c',
  d: 'archives cannot be compared here: extract elsewhere and use diff -r',
  delete: 'archives cannot be changed here: make a new one with -c',
  j: 'bzip2 is not available here: use -z (gzip), or no compression',
  J: 'xz is not available here: use -z (gzip), or no compression',
  Z: 'compress is not available here: use -z (gzip), or no compression',
  zstd: 'zstd is not available here: use -z (gzip), or no compression',
  lzip: 'lzip is not available here: use -z (gzip), or no compression',
  lzma: 'lzma is not available here: use -z (gzip), or no compression',
  'same-owner': 'files have no owners in this shell: leave --same-owner out',
}

export interface TarRun {
  readonly given: Given
  readonly mode: 'c' | 'x' | 't' | 'r' | 'u'
  /** Path of the archive. `-` means standard input or output. */
  readonly file: string
  readonly verbose: boolean
  readonly excluded: (path: string) => boolean
}

/** @throws {Failure} for invalid or unsupported options */
export function readOptions(args: readonly string[]): TarRun {
  const given = parseOptions('tar', modern(args), SPECS, { hint: HINT, status: USAGE_STATUS })
  for (const { id } of given.options) if (Object.hasOwn(ABSENT, id)) throw new Failure(ABSENT[id] as string, FATAL)
  const modes = [...new Set(given.options.filter(({ id }) => /^[cxtru]$/.test(id)).map(({ id }) => id))]
  if (modes.length > 1)
    throw new Failure(`You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option\n${HINT}`, FATAL)
  const [mode] = modes
  if (mode === undefined) {
    throw new Failure(`You must specify one of the '-Acdtrux', '--delete' or '--test-label' options\n${HINT}`, FATAL)
  }
  checkValues(given)
  return {
    given,
    mode: mode as TarRun['mode'],
    file: given.value('f') ?? '-',
    verbose: given.has('v'),
    excluded: exclusion([...given.values('exclude'), ...(given.has('exclude-vcs') ? ['.git', '.svn', '.hg', 'CVS'] : [])]),
  }
}

/** Converts the old form `czf a.tar.gz dir`: letters without a dash. The values of the letters follow in the same order. */
function modern(args: readonly string[]): string[] {
  const [first, ...rest] = args
  if (first === undefined || first.startsWith('-') || !/^[A-Za-z]+$/.test(first)) return [...args]
  const options: string[] = []
  for (const letter of first) {
    options.push(`-${letter}`)
    if (!/[fCXT]/.test(letter)) continue
    const value = rest.shift()
    if (value === undefined) throw new Failure(`Old option '${letter}' requires an argument.\n${HINT}`, FATAL)
    options.push(value)
  }
  return [...options, ...rest]
}

function checkValues(given: Given): void {
  const sort = given.value('sort')
  if (sort !== undefined && sort !== 'name' && sort !== 'none') throw new Failure(`Invalid argument '${sort}' for '--sort'`, FATAL)
  for (const id of ['owner', 'group']) {
    const owner = given.value(id)
    if (owner !== undefined && !/^(?:root)?(?::?0)?$/.test(owner))
      throw new Failure(`files have no owners in this shell: use --${id}=0, or leave it out`, FATAL)
  }
  const format = given.value('format')
  if (format !== undefined && !/^(?:ustar|pax|posix|gnu)$/.test(format))
    throw new Failure(`archive format '${format}' is not supported in this shell: use ustar or pax`, FATAL)
  const strip = given.value('strip-components')
  if (strip !== undefined && !/^\d+$/.test(strip)) throw new Failure(`${strip}: Invalid number of elements`, FATAL)
}

/**
 * Returns a filter like `--exclude` of GNU tar by default: a pattern matches the end of a path after any slash, and everything below. Stars
 * match slashes.
 */
export function exclusion(patterns: readonly string[]): (path: string) => boolean {
  for (const pattern of patterns) checkPattern(pattern)
  if (patterns.length === 0) return () => false
  return (path) => tails(path).some((tail) => patterns.some((pattern) => fitsTop(pattern, tail)))
}

/** @throws {Failure} for bracket expressions, which are not supported */
export function checkPattern(pattern: string): void {
  if (pattern.includes('[')) throw new Failure(`bracket patterns are not supported in this shell: '${pattern}'`, FATAL)
}

/** Returns the path, and the rest of the path after each of its slashes. */
function tails(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, at) => parts.slice(at).join('/'))
}

/** Whether the pattern matches the path or one of its parent directories. */
export function fitsTop(pattern: string, path: string): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) if (fitsWildcard(pattern, path.slice(0, end), '?')) return true
  return false
}
