import { required } from '../../../errors/required.js'
import { toBase64 } from '../../../ops/base64.js'
import { unifiedDiff } from '../../../ops/diff.js'
import type { CassetteStorage } from '../cassette/cassette.js'
import { type Expected, fits, type MatcherResult, shown } from './match.js'

type Files = Readonly<Record<string, string | Uint8Array>>

/** An object with files: a workspace, a test workspace or a test runtime. */
export interface WithFiles {
  files(): Promise<Files>
}

/** An object that also has its initial files: a test workspace or a test runtime. */
export interface WithStart extends WithFiles {
  readonly start: Files
}

/** Maps paths relative to the root to expected contents; null: the file must not exist. */
export type ExpectedFiles = Readonly<Record<string, Expected>>

const diffOf = (path: string, expected: unknown, actual: unknown): string =>
  typeof expected === 'string' && typeof actual === 'string'
    ? unifiedDiff({ path, before: expected, after: actual })
    : `  expected: ${shown(expected)}\n  found:    ${actual === undefined ? 'no such file' : shown(actual)}`

function problemsOf(expected: ExpectedFiles, actual: Files): string[] {
  return Object.entries(expected).flatMap(([path, content]) => {
    const found = actual[path]
    if (content === null ? found === undefined : found !== undefined && fits(content, found)) return []
    return [`"${path}" differs:\n${diffOf(path, content, found)}`]
  })
}

/** Passes if the listed files have the expected contents. Ignores other files. */
export async function toMatchFiles(subject: WithFiles, expected: ExpectedFiles): Promise<MatcherResult> {
  const actual = await subject.files()
  const problems = problemsOf(expected, actual)
  const pass = problems.length === 0
  const message = (): string =>
    pass ? `Expected other files than ${Object.keys(expected).join(', ')} as they are` : `Expected other files: ${problems.join('\n')}`
  return { pass, message, actual, expected }
}

/**
 * Passes if exactly these files have changed since the start, with the expected contents. If `expected` is a list of paths, contents are
 * not compared.
 */
export async function toHaveChanged(subject: WithStart, expected: ExpectedFiles | readonly string[]): Promise<MatcherResult> {
  const files = await subject.files()
  const changed = changesOf(subject.start, files)
  const wanted = Array.isArray(expected) ? (expected as readonly string[]) : Object.keys(expected)
  const actual = Object.fromEntries(changed.map((path) => [path, files[path] ?? null]))
  const unchanged = wanted.filter((path) => !changed.includes(path)).map((path) => `"${path}" has not changed`)
  const others = changed.filter((path) => !wanted.includes(path)).map((path) => `"${path}" has ${changeOf(path, subject.start, files)}`)
  const problems = [...unchanged, ...others, ...(Array.isArray(expected) ? [] : problemsOf(expected as ExpectedFiles, files))]
  const pass = problems.length === 0
  const message = (): string =>
    pass ? `Expected other changes than of ${changed.join(', ') || 'no file'}` : `Expected other changes: ${problems.join('\n')}`
  return { pass, message, actual, expected }
}

function changesOf(before: Files, after: Files): string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return paths.filter((path) => before[path] === undefined || after[path] === undefined || !fits(before[path], after[path]))
}

function changeOf(path: string, before: Files, after: Files): string {
  if (after[path] === undefined) return 'been deleted'
  if (before[path] === undefined) return 'been created'
  return `been changed:\n${diffOf(path, before[path], after[path])}`
}

/** Returns all files as one readable text, sorted by path. */
export async function workspaceSnapshot(subject: WithFiles): Promise<string> {
  const files = await required('workspaceSnapshot', 'what createTestRuntime or createTestWorkspace gives', subject, 'files').files()
  const paths = Object.keys(files).sort()
  return paths.map((path) => `${path}${contentOf(files[path] as string | Uint8Array)}\n`).join('')
}

function contentOf(content: string | Uint8Array): string {
  // Quote lines that end in white space or CR, because editors and test runners strip such endings.
  const shownLine = (line: string): string => (/\s$/.test(line) ? `  |= ${JSON.stringify(line)}` : `  | ${line}`.trimEnd())
  const block = (lines: readonly string[]): string => lines.map((line) => `\n${shownLine(line)}`).join('')
  if (typeof content !== 'string') return ` (base64)${block([toBase64(content)])}`
  if (content === '') return ' (empty)'
  const lines = content.split('\n')
  return lines.at(-1) === '' ? block(lines.slice(0, -1)) : `${block(lines)}\n  (no line break at the end)`
}

/** Options of `toMatchWorkspaceSnapshot`. */
export interface SnapshotOptions {
  /** Whether to write the snapshot instead of comparing with it. Default false: writes only a missing snapshot. */
  readonly update?: boolean
}

/**
 * Passes if the files equal the snapshot. A string is compared without surrounding empty lines and common indentation. For a storage, the
 * first run writes the snapshot, and later runs compare with it.
 */
export async function toMatchWorkspaceSnapshot(
  subject: WithFiles,
  snapshot: string | CassetteStorage,
  { update = false }: SnapshotOptions = {},
): Promise<MatcherResult> {
  const actual = await workspaceSnapshot(subject)
  const expected = typeof snapshot === 'string' ? unindented(snapshot) : update ? undefined : await snapshot.read()
  if (expected === undefined) await (snapshot as CassetteStorage).write?.(actual)
  const pass = expected === undefined || trimmed(expected) === trimmed(actual)
  const message = (): string =>
    pass
      ? 'Expected other files than those of the snapshot'
      : `Expected the files of the snapshot:\n${unifiedDiff({ path: 'snapshot', before: `${trimmed(expected)}\n`, after: `${trimmed(actual)}\n` })}`
  return { pass, message, actual, expected }
}

const trimmed = (text: string): string => text.replace(/[ \t]+$/gm, '').replace(/^\n+|\n+$/g, '')

function unindented(text: string): string {
  const lines = text.replace(/^\s*\n|\n\s*$/g, '').split('\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const common = Math.min(...indents, text.length)
  return lines.map((line) => line.slice(common)).join('\n')
}
