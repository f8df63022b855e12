import { toFailure, toModelText } from '../../core/result.js'
import { hasCode } from '../../errors/index.js'
import { visibleName } from '../../ops/visible-name.js'
import type { ContentPart } from '../../types/tool.js'
import type { Workspace } from '../../types/workspace.js'
import { createFile, insertText, type Listed, listDirectory, type Place, refused, replaceText, viewFile } from './files.js'
import { type Fields, fieldsOf, rangeOf, textOf } from './input.js'
import { type Operations, Refused, textOnly } from './operations.js'

const ROOT = '/memories'

/** Runs one command of the memory tool. `base`: the workspace directory that the model sees as `/memories`. */
export async function runMemory(ops: Operations, base: string, given: unknown): Promise<readonly ContentPart[]> {
  try {
    return await run(ops, base, given)
  } catch (error) {
    const text = error instanceof Refused ? error.message : toModelText(toFailure(error, { callId: null, tool: 'memory' }))
    throw new Refused(base === '/' ? text : text.replaceAll(base, ROOT))
  }
}

async function run(ops: Operations, base: string, given: unknown): Promise<readonly ContentPart[]> {
  const input = fieldsOf(given)
  const command = textOf(input, 'command')
  const at = (field: string): Promise<Place> => placeOf(ops.workspace, base, textOf(input, field))
  switch (command) {
    case 'view':
      return view(ops, await at('path'), input)
    case 'create':
      return textOnly(await createFile(ops, await file(at('path')), textOf(input, 'file_text')))
    case 'str_replace': {
      const snippet = await replaceText(ops, await file(at('path')), input)
      const shown = snippet === undefined ? '' : ` Here is the snippet showing the change (with line numbers):\n${snippet}`
      return textOnly(`The memory file has been edited.${shown}`)
    }
    case 'insert': {
      const place = await file(at('path'))
      await insertText(ops, place, input)
      return textOnly(`The file ${place.shown} has been edited.`)
    }
    case 'delete':
      return textOnly(await remove(ops, await at('path')))
    case 'rename':
      return textOnly(await rename(ops, await at('old_path'), await at('new_path')))
    default:
      throw new Refused(`Error: Unknown command "${command}". The commands are view, create, str_replace, insert, delete and rename.`)
  }
}

/**
 * Converts a path below `/memories` to a workspace path. @throws Refused for a path that leaves `/memories`, by its text or through a link
 */
async function placeOf(workspace: Workspace, base: string, given: string): Promise<Place> {
  if (given !== ROOT && !given.startsWith(`${ROOT}/`)) throw new Refused(`Error: Path must start with ${ROOT}, got: ${given}`)
  const names = given.slice(ROOT.length).split('/').filter(Boolean)
  // Reject encoded dots and slashes too. They are plain characters here, but other software that handles the path may decode them.
  const escapes = names.some((name) => name === '.' || name === '..' || name.includes('\\') || /%(2e|2f|5c)/i.test(name))
  if (escapes) throw new Refused(`Error: Path ${given} would escape ${ROOT} directory`)
  await refuseLinks(workspace, base, names, given)
  return { shown: [ROOT, ...names].join('/'), path: [base === '/' ? '' : base, ...names].join('/') }
}

/** Rejects links, which commands may have created in the directory and which may lead to other files of the workspace. */
async function refuseLinks(workspace: Workspace, base: string, names: readonly string[], given: string): Promise<void> {
  let path = base
  for (const name of ['', ...names]) {
    if (name !== '') path = path === '/' ? `/${name}` : `${path}/${name}`
    try {
      if ((await workspace.lstat(path)).kind === 'symlink')
        throw new Refused(`Error: Path ${given} would escape ${ROOT} directory via symlink`)
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return
      throw error
    }
  }
}

async function file(place: Promise<Place>): Promise<Place> {
  const { shown } = await place
  if (shown === ROOT) throw new Refused(`Error: ${ROOT} is a directory. Name a file in it.`)
  return place
}

async function view(ops: Operations, place: Place, input: Fields): Promise<readonly ContentPart[]> {
  const range = rangeOf(input)
  // The memory directory is created on the first write. Until then, show it as empty.
  const empty = place.shown === ROOT && !(await ops.workspace.exists(place.path))
  const content = empty ? 'directory' : await viewFile(ops, place, range)
  if (content !== 'directory')
    return typeof content === 'string' ? textOnly(`Here's the content of ${place.shown} with line numbers:\n${content}`) : content
  const listed = empty ? { entries: [], more: false } : await listDirectory(ops, place, { max_depth: 1000, hidden: true, ignore: false })
  return textOnly(listing(place.shown, listed.entries, listed.more))
}

function listing(shown: string, entries: readonly Listed[], more: boolean): string {
  const sizes = sizesOf(entries)
  const visible = entries.filter((entry) => {
    const names = entry.shown.slice(shown.length + 1).split('/')
    return names.length <= 2 && !names.some((name) => name.startsWith('.'))
  })
  const lines = [{ shown }, ...visible].map((entry) => `${human(sizes.get(entry.shown) ?? 0)}\t${visibleName(entry.shown)}`)
  const head = `Here're the files and directories up to 2 levels deep in ${shown}, excluding hidden items and node_modules:`
  return [head, ...lines, ...(more ? ['[There is more: view a subdirectory]'] : [])].join('\n')
}

/** Returns the size of every file, and of every directory including its descendants. */
function sizesOf(entries: readonly Listed[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const { shown, size = 0 } of entries)
    for (let path = shown; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) sizes.set(path, (sizes.get(path) ?? 0) + size)
  return sizes
}

const UNITS = ['B', 'K', 'M', 'G']

function human(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)}${UNITS[unit]}`
}

async function remove(ops: Operations, place: Place): Promise<string> {
  if (place.shown === ROOT) throw new Refused(`Error: Cannot delete the ${ROOT} directory itself`)
  const result = await ops.attempt('delete_file', { path: place.path, recursive: true })
  if (!result.ok) throw refused(result, place)
  return `Successfully deleted ${place.shown}`
}

async function rename(ops: Operations, from: Place, to: Place): Promise<string> {
  if (from.shown === ROOT || to.shown === ROOT) throw new Refused(`Error: Cannot rename the ${ROOT} directory itself`)
  const result = await ops.attempt('move_file', { from: from.path, to: to.path })
  if (result.ok) return `Successfully renamed ${from.shown} to ${to.shown}`
  if (result.output.code === 'EEXIST') throw new Refused(`Error: The destination ${to.shown} already exists`)
  throw refused(result, from)
}
