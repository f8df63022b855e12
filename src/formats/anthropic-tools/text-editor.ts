import { codePointBoundary } from '../../ops/utf8.js'
import { visibleName } from '../../ops/visible-name.js'
import type { ContentPart } from '../../types/tool.js'
import { createFile, insertText, listDirectory, type Place, replaceText, viewFile } from './files.js'
import { fieldsOf, rangeOf, textOf } from './input.js'
import { type Operations, Refused, textOnly } from './operations.js'

/** Runs one command of the text editor. */
export async function runTextEditor(ops: Operations, given: unknown, maxCharacters: number = Infinity): Promise<readonly ContentPart[]> {
  const input = fieldsOf(given)
  const command = textOf(input, 'command')
  const path = textOf(input, 'path')
  const place = { shown: path, path }
  switch (command) {
    case 'view':
      return (await view(ops, place, rangeOf(input))).map((part) => clipped(part, maxCharacters))
    case 'create':
      return textOnly(await createFile(ops, place, textOf(input, 'file_text')))
    case 'str_replace': {
      const snippet = await replaceText(ops, place, input)
      return textOnly(withSnippet(path, snippet))
    }
    case 'insert': {
      const snippet = await insertText(ops, place, input)
      return textOnly(withSnippet(path, snippet))
    }
    default:
      throw new Refused(`Error: Unknown command "${command}". The commands are view, create, str_replace and insert.`)
  }
}

async function view(ops: Operations, place: Place, range: ReturnType<typeof rangeOf>): Promise<readonly ContentPart[]> {
  const file = await viewFile(ops, place, range)
  if (file !== 'directory')
    return typeof file === 'string' ? textOnly(`Here's the result of running \`cat -n\` on ${place.shown}:\n${file}`) : file
  if (range) throw new Refused('Error: The `view_range` parameter is not allowed when `path` points to a directory.')
  const { entries, more } = await listDirectory(ops, place, { max_depth: 2, hidden: false })
  const paths = entries.map(({ shown, kind }) => visibleName(shown) + (kind === 'dir' ? '/' : ''))
  const head = `Here's the files and directories up to 2 levels deep in ${place.shown}, excluding hidden items, node_modules and what .gitignore names:`
  return textOnly([head, place.shown, ...paths, ...(more ? ['[There is more: view a subdirectory]'] : [])].join('\n'))
}

function withSnippet(path: string, snippet: string | undefined): string {
  const done = `The file ${path} has been edited.`
  return snippet === undefined ? done : `${done} Here's the result of running \`cat -n\` on a snippet of ${path}:\n${snippet}`
}

function clipped(part: ContentPart, maxCharacters: number): ContentPart {
  if (part.type !== 'text' || part.text.length <= maxCharacters) return part
  const kept = part.text.slice(0, codePointBoundary(part.text, maxCharacters))
  return { type: 'text', text: `${kept}\n[... ${part.text.length - kept.length} characters left out: use view_range ...]` }
}
