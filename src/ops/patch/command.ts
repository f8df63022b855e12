import type { Steps } from '../steps.js'
import { badPatch, notAPatch, quoted } from './errors.js'
import { parseSteps } from './parse.js'
import type { FilePatch } from './types.js'

const FOLDER = /^cd\s+(?:"([^"$`\\\n]+)"|'([^'\n]+)'|([^\s"'$`\\;&|<>()*?~]+))\s*(?:&&|;)[^\S\n]*/
/** `bash -lc "...`. The command extends to the matching quote at the end. */
const SHELL = /^(?:[\w/]*\/)?(?:ba|z|da)?sh\s+-\w*c\s+(["'])/
/** `apply_patch <<EOF`, `cat <<'EOF' | apply_patch`, `cat > a.patch <<EOF`. */
const HEREDOC = /^(?:[\w./-]+[ \t>\w./-]*)?<<-?\s*(?:\\|(['"]?))(\w+)\1(?:\s*[|>][ \t|>\w./-]*)?$/
/** Maximum length of a first line that opens a heredoc. */
const MAX_HEREDOC = 200
/** Maximum nesting of code fences and heredocs. */
const MAX_DEPTH = 3
const FENCE = /^```\w*\s*$/
/** Maximum length of JSON to parse. */
const MAX_JSON = 1024 * 1024

interface InCommand {
  /** The patch, with its heredoc if it has one. */
  readonly patch: string
  /** The directory that the command changes to first. */
  readonly folder?: string
}

/**
 * Like `parseSteps`, for a patch inside a command or other text: `cd dir && apply_patch <<EOF`, `bash -lc "..."`, `["apply_patch", "..."]`,
 * a heredoc, a code fence, an indentation of all lines.
 *
 * @throws {InputError} `invalid_input` if a shell would change the text
 */
export function* commandSteps(text: string): Steps<FilePatch[]> {
  const { patch, folder } = withoutCommand(text)
  const sections = yield* parseSteps(patch, unwrap)
  return folder === undefined ? sections : sections.map((section) => sectionBelow(folder, section))
}

function withoutCommand(whole: string): InCommand {
  const text = whole.trimStart()
  const word = argument(text)
  if (word !== undefined) return withoutCommand(word)
  const shell = SHELL.exec(text)
  const end = text.trimEnd().length - 1
  if (shell && text[end] === shell[1] && end >= shell[0].length) return withoutCommand(script(text, shell[0].length, end))
  const found = FOLDER.exec(text)
  const folder = found?.[1] ?? found?.[2] ?? found?.[3]
  return found && folder !== undefined ? { patch: text.slice(found[0].length), folder } : { patch: whole }
}

function script(text: string, from: number, end: number): string {
  const isDouble = text[from - 1] === '"'
  const lines = text.indexOf('\n', from)
  const inner = text.slice(lines, end)
  if (lines > 0 && (isDouble ? /["$`\\]/ : /['$`\\]/).test(inner)) {
    const first = quoted(text.slice(0, lines).trim())
    throw notAPatch(`it is inside the command ${first}, where quotes, $, \` and \\ may have another meaning: pass only the patch`)
  }
  const first = text.slice(from, Math.max(from, lines))
  return (isDouble ? first.replaceAll('\\"', '"') : first) + inner
}

/** Returns the last element of `["apply_patch", "..."]` or `["bash", "-lc", "..."]`; undefined for other text. */
function argument(text: string): string | undefined {
  if (!text.startsWith('[') || text.length > MAX_JSON) return undefined
  const words = parsed(text)
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) return undefined
  const isCommand = words.length === 2 ? words[0] === 'apply_patch' : words.length === 3 && SHELL.test(`${words[0]} ${words[1]} '`)
  return isCommand ? words.at(-1) : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a section with `folder` in front of its relative paths. */
function sectionBelow(folder: string, section: FilePatch): FilePatch {
  const below = (name: string): string => (name.startsWith('/') ? name : `${folder}/${name}`)
  const names = section.names && Object.fromEntries(Object.entries(section.names).map(([key, name]) => [key, below(name)]))
  const from = 'from' in section && { from: below(section.from) }
  return { ...section, path: below(section.path), ...from, ...(names && { names }) } as FilePatch
}

/** Returns the lines of the patch, without code fences and heredocs around it. */
function unwrap(all: string[], depth = 0): string[] {
  const isText = (line: string): boolean => line.trim() !== ''
  const lines = all.slice(all.findIndex(isText))
  const end = lines.findLastIndex(isText)
  const first = lines[0]?.trim() ?? ''
  const last = lines[end]?.trim()
  const marker = first.length <= MAX_HEREDOC ? HEREDOC.exec(first)?.[2] : undefined
  const wrapped = FENCE.test(first) ? last === '```' : last === marker
  const behind = wrapped || marker === undefined ? -1 : lines.indexOf(marker)
  if (behind > 0) {
    const command = lines.slice(behind + 1).find(isText)
    throw badPatch(`${quoted(command?.trim() ?? '')} follows its heredoc: pass only the patch`)
  }
  if (wrapped && end >= 2 && depth < MAX_DEPTH) return unwrap(lines.slice(1, end), depth + 1)
  return withoutIndent(lines, first)
}

/** Removes the indentation of a patch that is indented as a whole, as in a list: all lines start with the indentation of the first line. */
function withoutIndent(lines: string[], first: string): string[] {
  const indent = lines[0]?.slice(0, lines[0].length - lines[0].trimStart().length) ?? ''
  if (indent === '' || !/^(?:\*\*\* Begin Patch|diff --git |--- )/.test(first)) return lines
  const isInside = lines.every((line) => line.startsWith(indent) || line.trim() === '')
  return isInside ? lines.map((line) => line.slice(indent.length)) : lines
}
