import type { Steps } from '../steps.js'
import { notAPatch, quoted } from './errors.js'
import { parseSteps } from './parse.js'
import type { FilePatch } from './types.js'

const FOLDER = /^\s*cd\s+(?:"([^"$`\\\n]+)"|'([^'\n]+)'|([^\s"'$`\\;&|<>()*?~]+))\s*(?:&&|;)[^\S\n]*/
/** `bash -lc "...`: the command goes on to the same quote at the end. */
const SHELL = /^\s*(?:[\w/]*\/)?(?:ba|z|da)?sh\s+-\w*c\s+(["'])/
/** Longer JSON is not read. */
const MAX_JSON = 1024 * 1024

interface InCommand {
  /** With its heredoc. */
  readonly patch: string
  /** Where the command goes first. */
  readonly folder?: string
}

/**
 * `parseSteps` for the patch of `cd dir && apply_patch <<EOF`, of `bash -lc "..."`, and of `["apply_patch", "..."]`.
 *
 * @throws {InputError} `invalid_input` where a shell would change the text
 */
export function* commandSteps(text: string): Steps<FilePatch[]> {
  const { patch, folder } = withoutCommand(text)
  const sections = yield* parseSteps(patch)
  return folder === undefined ? sections : sections.map((section) => sectionBelow(folder, section))
}

function withoutCommand(text: string): InCommand {
  const word = argument(text)
  if (word !== undefined) return withoutCommand(word)
  const shell = SHELL.exec(text)
  const end = text.trimEnd().length - 1
  if (shell && text[end] === shell[1] && end >= shell[0].length) return withoutCommand(script(text, shell[0].length, end))
  const found = FOLDER.exec(text)
  const folder = found?.[1] ?? found?.[2] ?? found?.[3]
  return found && folder !== undefined ? { patch: text.slice(found[0].length), folder } : { patch: text }
}

function script(text: string, from: number, end: number): string {
  const isDouble = text[from - 1] === '"'
  const lines = text.indexOf('\n', from)
  const inner = text.slice(lines, end)
  if (lines > 0 && (isDouble ? /["$`\\]/ : /['$`\\]/).test(inner)) {
    const first = quoted(text.slice(0, lines).trim())
    throw notAPatch(`it is in the command ${first}, where quotes, $, \` and \\ may stand for something else: give the patch alone`)
  }
  const first = text.slice(from, Math.max(from, lines))
  return (isDouble ? first.replaceAll('\\"', '"') : first) + inner
}

/** The last of `["apply_patch", "..."]` and `["bash", "-lc", "..."]`. */
function argument(text: string): string | undefined {
  if (!/^\s*\[/.test(text) || text.length > MAX_JSON) return undefined
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

/** The section with its names as they are outside of the folder. */
function sectionBelow(folder: string, section: FilePatch): FilePatch {
  const below = (name: string): string => (name.startsWith('/') ? name : `${folder}/${name}`)
  const names = section.names && Object.fromEntries(Object.entries(section.names).map(([key, name]) => [key, below(name)]))
  const from = 'from' in section && { from: below(section.from) }
  return { ...section, path: below(section.path), ...from, ...(names && { names }) } as FilePatch
}
