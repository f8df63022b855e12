import { type Random, randomOf } from '../random.js'
import { applied, type Effect, type Entry, type Tree } from './tree.js'

/** A tool call and its effect on the tree. */
export interface Step extends Effect {
  readonly name: string
  readonly input: unknown
}

const MOST_FILES = 24
const utf8 = new TextEncoder()
const text = new TextDecoder()

/**
 * The endless calls of one lane, which works in its own directory. All calls succeed. They depend only on the seed and the tree, so the
 * page that makes the calls and the test that checks them compute the same calls.
 */
export function* workOf(lane: string, seed: number, start: Tree): Generator<Step, never> {
  let tree: Map<string, Entry> = new Map([...start].filter(([path]) => path.startsWith(`${lane}/`)))
  const random = randomOf(seed)
  for (let n = 0; ; n++) {
    const step = stepOf({ lane, random, tree, id: `${seed.toString(36)}-${n}` })
    tree = applied(tree, step)
    yield step
  }
}

interface At {
  readonly lane: string
  readonly random: Random
  readonly tree: Tree
  /** Unique per step. Used in new names and contents, so that no two are the same. */
  readonly id: string
}

function stepOf(at: At): Step {
  const files = filesOf(at.tree)
  if (files.length < 3) return writeNew(at)
  if (files.length > MOST_FILES) return at.random.below(2) === 0 ? deleteDirectory(at) : deleteFile(at)
  return at.random.pick([
    writeNew,
    writeNew,
    overwrite,
    overwrite,
    append,
    edit,
    edit,
    moveFile,
    moveOver,
    moveDirectory,
    deleteFile,
    patch,
  ])(at)
}

const filesOf = (tree: Tree): string[] => [...tree].filter(([, entry]) => entry !== 'dir').map(([path]) => path)
const isText = (path: string): boolean => path.endsWith('.txt')
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
const bytesAt = ({ tree }: At, path: string): Uint8Array => {
  const entry = tree.get(path)
  if (!(entry instanceof Uint8Array)) throw new TypeError(`There is no file ${path}`)
  return entry
}
const anyFile = (at: At): string => at.random.pick(filesOf(at.tree))

/** Lines of text. The first line is unique, so that an edit finds it. */
function textOf({ random, id }: At): string {
  const lines = random.below(30) === 0 ? 6000 : random.below(60)
  return `#${id}\n${Array.from({ length: lines }, (_, i) => `line ${i} of grün ${id}`).join('\n')}\n`
}

function bytesOf({ random }: At): Uint8Array {
  return Uint8Array.from({ length: random.below(5000) }, () => random.below(256))
}

/** A new path, whose directory may not exist. */
const newPath = ({ lane, random, id }: At): string => `${lane}/d${random.below(4)}${random.below(2) === 0 ? '' : '/deep'}/f${id}.txt`

/** The entry, and the missing parent directories that are created for it. */
function withParents({ lane, tree }: At, path: string, entry: Entry): [string, Entry][] {
  const made: [string, Entry][] = [[path, entry]]
  for (let dir = parentOf(path); dir.length >= lane.length; dir = parentOf(dir)) if (!tree.has(dir)) made.push([dir, 'dir'])
  return made
}

const changing = (
  name: string,
  input: unknown,
  changes: readonly (readonly [string, Entry | undefined])[],
  moves: Step['moves'] = [],
): Step => ({
  name,
  input,
  changes: new Map(changes),
  moves,
})

function writing(at: At, path: string): Step {
  if (isText(path)) {
    const content = textOf(at)
    return changing('write_file', { path, content }, withParents(at, path, utf8.encode(content)))
  }
  const bytes = bytesOf(at)
  const content = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return changing('write_file', { path, content, encoding: 'base64' }, withParents(at, path, bytes))
}

const writeNew = (at: At): Step => {
  const path = newPath(at)
  return writing(at, at.random.below(3) === 0 ? path.replace(/txt$/, 'bin') : path)
}

const overwrite = (at: At): Step => writing(at, anyFile(at))

function append(at: At): Step {
  const path = anyFile(at)
  const added = `more of ${at.id}\n`
  const before = bytesAt(at, path)
  const after = new Uint8Array([...before, ...utf8.encode(added)])
  const input = isText(path) ? { path, content: added } : { path, content: btoa(added), encoding: 'base64' }
  return changing('write_file', { ...input, mode: 'append' }, [[path, after]])
}

function edit(at: At): Step {
  const path = filesOf(at.tree).find((file) => isText(file) && at.random.below(3) === 0)
  if (path === undefined) return writeNew(at)
  const before = text.decode(bytesAt(at, path))
  const [line = ''] = before.split('\n')
  const input = { path, edits: [{ old_string: `${line}\n`, new_string: `#${at.id}\n` }] }
  return changing('edit_file', input, [[path, utf8.encode(before.replace(line, `#${at.id}`))]])
}

function moving(at: At, from: string, to: string): Step {
  const changes = [...withParents(at, to, bytesAt(at, from)), [from, undefined] as const]
  return changing('move_file', { from, to, overwrite: true }, changes, [[from, to]])
}

const moveFile = (at: At): Step => {
  const from = anyFile(at)
  return moving(at, from, newPath(at).replace(/txt$/, from.slice(-3)))
}

function moveOver(at: At): Step {
  const from = anyFile(at)
  const to = filesOf(at.tree).find((path) => path !== from && path.slice(-3) === from.slice(-3))
  return to === undefined ? moveFile(at) : moving(at, from, to)
}

/** A directory of the lane with its entries, if there is one. */
function directoryOf({ lane, random, tree }: At): { dir: string; inside: [string, Entry][] } | undefined {
  const directories = [...tree].filter(([path, entry]) => entry === 'dir' && path !== lane).map(([path]) => path)
  if (directories.length === 0) return undefined
  const dir = random.pick(directories)
  return { dir, inside: [...tree].filter(([path]) => path === dir || path.startsWith(`${dir}/`)) }
}

function moveDirectory(at: At): Step {
  const found = directoryOf(at)
  if (!found) return moveFile(at)
  const to = `${at.lane}/m${at.id}`
  const changes = found.inside.flatMap(([path, entry]): [string, Entry | undefined][] => [
    [path, undefined],
    [to + path.slice(found.dir.length), entry],
  ])
  const moves = found.inside.filter(([, entry]) => entry !== 'dir').map(([path]) => [path, to + path.slice(found.dir.length)] as const)
  return changing('move_file', { from: found.dir, to }, changes, moves)
}

const deleteFile = (at: At): Step => {
  const path = anyFile(at)
  return changing('delete_file', { path }, [[path, undefined]])
}

function deleteDirectory(at: At): Step {
  const found = directoryOf(at)
  if (!found) return deleteFile(at)
  return changing(
    'delete_file',
    { path: found.dir, recursive: true },
    found.inside.map(([path]) => [path, undefined]),
  )
}

/** Adds, changes and removes one file each in one call. */
function patch(at: At): Step {
  const [changed, removed] = filesOf(at.tree).filter((path) => isText(path))
  if (changed === undefined || removed === undefined) return writeNew(at)
  const added = `${at.lane}/p${at.id}.txt`
  const before = text.decode(bytesAt(at, changed))
  const [line = ''] = before.split('\n')
  const lines = [
    '*** Begin Patch',
    `*** Add File: ${added}`,
    `+#${at.id}`,
    `*** Update File: ${changed}`,
    '@@',
    `-${line}`,
    `+#${at.id}`,
    `*** Delete File: ${removed}`,
    '*** End Patch',
  ]
  const changes: [string, Entry | undefined][] = [
    ...withParents(at, added, utf8.encode(`#${at.id}\n`)),
    [changed, utf8.encode(before.replace(line, `#${at.id}`))],
    [removed, undefined],
  ]
  return changing('apply_patch', { patch: `${lines.join('\n')}\n` }, changes)
}
