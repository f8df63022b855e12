import { notAPatch, quoted } from './errors.js'
import type { FilePatch } from './types.js'

/** `apply_patch <<EOF`, `cat <<'EOF' | apply_patch`, `cat > a.patch <<EOF`, and `cd dir && ` before any of them. */
const HEREDOC =
  /^(?:cd\s+(?:"([^"$`\\]+)"|'([^']+)'|([^\s"'$`\\;&|<>()*?~]+))\s*(?:&&|;)\s*)?(?:[\w./-]+[ \t>\w./-]*)?<<-?\s*(['"]?)(\w+)\4(?:\s*[|>][ \t|>\w./-]*)?$/
/** `bash -lc "...`: the command goes on to the same quote at the end. */
const SHELL = /^(?:[\w/]*\/)?(?:ba|z|da)?sh\s+-\w*c\s+(["'])(.*)$/
const FENCE = /^```\w*\s*$/
/** A longer first line is none of them. */
const MAX_COMMAND = 200
/** A fence around a command around a heredoc. */
const MAX_DEPTH = 4
/** Longer JSON is not read. */
const MAX_JSON = 1024 * 1024

export interface Unwrapped {
  readonly lines: string[]
  /** Where the command around the patch goes first. */
  readonly folder?: string
}

/**
 * The lines, without what is around the patch: a code fence, a heredoc, the command of a shell. The last line of a diff may well be a blank one.
 *
 * @throws {InputError} `invalid_input` where a shell would change the text
 */
export function unwrap(all: string[], depth = 0): Unwrapped {
  const isText = (line: string): boolean => line.trim() !== ''
  const lines = all.slice(all.findIndex(isText))
  const end = lines.findLastIndex(isText)
  const first = lines[0]?.trim() ?? ''
  const last = lines[end]?.trim()
  if (first.length <= MAX_COMMAND && end >= 2 && depth < MAX_DEPTH) {
    const inner = lines.slice(1, end)
    if (FENCE.test(first) && last === '```') return unwrap(inner, depth + 1)
    const heredoc = HEREDOC.exec(first)
    if (heredoc && last === heredoc[5]) return inFolder(heredoc[1] ?? heredoc[2] ?? heredoc[3], unwrap(inner, depth + 1))
    const shell = SHELL.exec(first)
    if (shell && last?.endsWith(shell[1] as string)) return unwrap(scriptOf(shell, inner, last.slice(0, -1), first), depth + 1)
  }
  return { lines: withoutIndent(lines, first) }
}

function scriptOf([, quote, command = '']: readonly string[], inner: readonly string[], last: string, first: string): string[] {
  const special = quote === '"' ? /["$`\\]/ : /['$`\\]/
  if (inner.some((line) => special.test(line)))
    throw notAPatch(`it is in the command ${quoted(first)}, where quotes, $, \` and \\ may stand for something else: give the patch alone`)
  return [quote === '"' ? command.replaceAll('\\"', '"') : command, ...inner, last]
}

function inFolder(folder: string | undefined, inner: Unwrapped): Unwrapped {
  return folder === undefined ? inner : { ...inner, folder: inner.folder === undefined ? folder : below(folder, inner.folder) }
}

const below = (folder: string, name: string): string => (name.startsWith('/') ? name : `${folder}/${name}`)

/** The section with its names as they are outside of the folder. */
export function sectionBelow(folder: string, section: FilePatch): FilePatch {
  const names = section.names && Object.fromEntries(Object.entries(section.names).map(([key, name]) => [key, below(folder, name)]))
  const from = 'from' in section && { from: below(folder, section.from) }
  return { ...section, path: below(folder, section.path), ...from, ...(names && { names }) } as FilePatch
}

/** The text of `["apply_patch", "..."]` and `["bash", "-lc", "..."]`. */
export function textOfCommand(text: string): string | undefined {
  const words = text.length <= MAX_JSON && /^\s*\[/.test(text) ? parsed(text) : undefined
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) return undefined
  const isCommand = words.length === 2 ? words[0] === 'apply_patch' : words.length === 3 && SHELL.test(`${words[0]} ${words[1]} ''`)
  return isCommand ? words.at(-1) : undefined
}

export function isJson(text: string): boolean {
  return /^[[{"]/.test(text) && (/^[[{]\s*"/.test(text) || (text.length <= MAX_JSON && parsed(text) !== undefined))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A patch that is indented as a whole, as in a list: all its lines begin with what its first line begins with. */
function withoutIndent(lines: string[], first: string): string[] {
  const indent = lines[0]?.slice(0, lines[0].length - lines[0].trimStart().length) ?? ''
  if (indent === '' || !/^(?:\*\*\* Begin Patch|diff --git |--- )/.test(first)) return lines
  const isInside = lines.every((line) => line.startsWith(indent) || line.trim() === '')
  return isInside ? lines.map((line) => line.slice(indent.length)) : lines
}
