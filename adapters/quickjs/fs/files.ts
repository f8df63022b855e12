import type { LiveAnswer, LiveQuestion } from '../../shared/js/live-files.js'
import type { Answer } from '../answer.js'
import type { Job, Services } from '../job.js'
import type { MemoryBudget } from '../memory-budget.js'
import type { FileCalls } from './calls.js'
import { createContents, type Wanted } from './contents.js'
import { FileFault, faultAnswer } from './faults.js'
import type { TreeNode } from './node.js'
import { createOperations, type FileQuestion } from './operations.js'
import { createTree, MAX_LINKS, parentOf, type Tree } from './tree.js'

/** Operations that need the entries of a directory. Those of `LISTED_BELOW` need them only if they are recursive. */
const LISTED: ReadonlySet<string> = new Set(['readdir', 'rmdir', 'rename'])
const LISTED_BELOW: ReadonlySet<string> = new Set(['rm', 'copy'])
/** Operations that do not follow a symlink in the last component. */
const ENTRY_ITSELF: ReadonlySet<string> = new Set(['lstat', 'readlink', 'unlink', 'rm', 'rmdir', 'rename', 'symlink'])
const CONTENT: ReadonlySet<string> = new Set(['read', 'truncate', 'copy', 'rename'])

/** Operations that remove their target, so that the content is not needed. */
const REGARDLESS: ReadonlySet<string> = new Set(['unlink', 'rm', 'rmdir'])

function wanted({ op, flag = 'w', position }: Question): Wanted {
  if (op === 'write' || op === 'open') {
    if (/^[wt]/.test(flag)) return flag.includes('x') ? 'welcome' : 'none'
    return op === 'open' ? 'welcome' : 'needed'
  }
  if (op === 'read' && position !== undefined) return 'welcome'
  return CONTENT.has(op) ? 'needed' : REGARDLESS.has(op) ? 'none' : 'welcome'
}

interface Look {
  /** Whether to read a file's content. */
  readonly content: Wanted
  /** Whether to follow a symlink in the last component too. */
  readonly follow: boolean
  /** Whether the operation removes the entry. */
  readonly removes?: boolean
}

/** The files of one program: its tree with all changes so far. */
export function createFiles({ snapshot, grants, now }: Job, services: Services, budget: MemoryBudget): FileCalls {
  if (!snapshot) throw new TypeError('a program without a snapshot has no files')
  const began = performance.now()
  const clock = (): number => now + (performance.now() - began)
  const tree = createTree(snapshot, clock, budget)
  const writable = grants.fs === 'write'
  const operations = createOperations({ tree, now: clock, writable })
  const run = (question: Question, bytes: Uint8Array | undefined): Answer => {
    try {
      const operation = Object.hasOwn(operations, question.op) ? operations[question.op] : undefined
      if (!operation) throw new FileFault('EINVAL')
      checkNames(question)
      return operation(question, bytes)
    } catch (error) {
      if (!(error instanceof FileFault)) throw error
      if (question.op === 'exists') return 'false'
      if (error.code === 'ENAMETOOLONG') return faultAnswer(error, { syscall: question.syscall })
      return faultAnswer(error, { syscall: question.syscall, path: question.target ?? question.as ?? question.path, ...destOf(question) })
    }
  }
  const ask = (question: LiveQuestion): Promise<LiveAnswer> => services.file(question) as Promise<LiveAnswer>
  const contents = createContents(ask, tree, budget)
  /** Updates the tree with the workspace's current entry at a path. Returns the node. `looked` collects the paths that were read. */
  const learn = async (at: string, looked: string[], content: Wanted): Promise<TreeNode | undefined> => {
    if (!`${at}/`.startsWith(`${snapshot.root}/`)) return tree.get(at)
    if (tree.isOwn(at)) return tree.get(at)
    looked.push(at)
    tree.refresh(at, await contents.entry(at, content))
    return tree.get(at)
  }
  /** Like `learn`, for an entry to remove. An entry that the program may not read may still be removed, so its name and kind suffice. */
  const learnName = async (at: string, looked: string[]): Promise<TreeNode | undefined> => {
    try {
      return await learn(at, looked, 'none')
    } catch (error) {
      if (!faultOf(error)) throw error
      const named = (await ask({ ask: 'list', path: parentOf(at) }))?.find((entry) => entry.path === at)
      if (!named) throw error
      tree.refresh(at, { path: at, kind: named.kind })
      return tree.get(at)
    }
  }
  /** Like `learn`, for a parent. A directory that the program may not read may still be traversed. The last component decides. */
  const pass = async (at: string, looked: string[]): Promise<TreeNode | undefined> => {
    try {
      return await learn(at, looked, 'none')
    } catch (error) {
      if (!faultOf(error)) throw error
      tree.refresh(at, { path: at, kind: 'dir' })
      return tree.get(at)
    }
  }
  /**
   * Loads the entry at a path, and unknown parents, from the workspace into the tree. Follows symlinks in parents. Follows a symlink at the
   * end of the path only if `follow` is set.
   */
  const look = async (path: string, looked: string[], how: Look, links = { left: MAX_LINKS }): Promise<void> => {
    const { content, follow, removes = false } = how
    const parts = path.split('/').filter((part) => part !== '' && part !== '.')
    let at = ''
    for (const [index, part] of parts.entries()) {
      if (part === '..') {
        at = at.slice(0, Math.max(0, at.lastIndexOf('/')))
        continue
      }
      const last = index === parts.length - 1
      const next = `${at}/${part}`
      let node = tree.get(next)
      if (last) node = await (removes ? learnName(next, looked) : learn(next, looked, content))
      else if (!node || isUnreadLink(node)) node = await pass(next, looked)
      if (!node) return
      if (node.kind === 'symlink' && (follow || !last)) {
        if (node.target === undefined || links.left-- <= 0) return
        const target = node.target.startsWith('/') ? node.target : `${at}/${node.target}`
        return look([target, ...parts.slice(index + 1)].join('/'), looked, how, links)
      }
      at = next
    }
  }
  /** Loads the entries of a directory into the tree. With `content: 'needed'`, also loads the content of files whose content is unknown. */
  const list = async (
    path: string,
    looked: string[],
    { recursive, content, follow }: Look & { readonly recursive: boolean },
  ): Promise<void> => {
    const at = resolved(tree, path, follow)
    if (at === undefined || tree.get(at)?.kind !== 'dir' || !`${at}/`.startsWith(`${snapshot.root}/`)) return
    const found = await ask({ ask: 'list', path: at }).catch(() => undefined)
    if (!found) return
    const names = new Set(found.map((entry) => entry.path))
    for (const name of tree.children(at)) if (!names.has(`${at}/${name}`)) tree.refresh(`${at}/${name}`, undefined)
    for (const entry of found) {
      tree.refresh(entry.path, entry)
      if (recursive && entry.kind === 'dir') await list(entry.path, looked, { recursive, content, follow })
      const node = tree.get(entry.path)
      if (content === 'needed' && node?.kind === 'file' && !node.bytes) await learn(entry.path, looked, content)
    }
  }
  /** Reads a part of a file whose content is unknown. Returns undefined if the content is known or the file does not exist. */
  const partOf = async ({ op, path, position, length = 0 }: Question): Promise<Uint8Array | undefined> => {
    const at = op === 'read' && position !== undefined ? resolved(tree, path, true) : undefined
    const node = at === undefined ? undefined : tree.get(at)
    if (at === undefined || node?.kind !== 'file' || node.bytes || path.endsWith('/')) return undefined
    tree.noteRead(at)
    const from = position ?? 0
    return contents.part(at, from, Math.max(0, Math.min(length, node.size - from)))
  }
  const prepare = async (question: Question, looked: string[]): Promise<void> => {
    const { path, to, op, exclusive = false } = question
    const [content, follow] = [wanted(question), !ENTRY_ITSELF.has(op)]
    await look(path, looked, {
      content: content === 'none' && !writable ? 'welcome' : content,
      follow,
      removes: writable && REGARDLESS.has(op),
    })
    if (to !== undefined) await look(to, looked, { content: exclusive || !writable ? 'welcome' : 'none', follow })
    const recursive = op === 'rename' || question.recursive === true
    if (LISTED.has(op) || (recursive && LISTED_BELOW.has(op))) await list(path, looked, { recursive, content, follow })
    if (op === 'rename' && to !== undefined) await list(to, looked, { recursive: false, content: 'none', follow })
  }
  return {
    now: (given, bytes) => run(questionOf(given), bytes),
    async later(given, bytes, release) {
      const question = questionOf(given)
      const looked: string[] = []
      if (isTooLong(question)) return run(question, undefined)
      try {
        await prepare(question, looked)
        release?.()
        return (await partOf(question)) ?? run(question, bytes)
      } catch (error) {
        const fault = faultOf(error)
        if (!fault) throw error
        return faultAnswer(fault, { syscall: question.syscall, path: question.as ?? question.path })
      } finally {
        for (const at of looked) tree.settle(at)
      }
    },
    changes: () => tree.changes(),
  }
}

/** Maximum length of a path, as on Linux and in workspaces. */
const MAX_PATH = 4096
const isTooLong = ({ path, to = '', target = '' }: Question): boolean => Math.max(path.length, to.length, target.length) > MAX_PATH

function checkNames(question: Question): void {
  if (isTooLong(question)) throw new FileFault('ENAMETOOLONG')
}

function resolved(tree: Tree, path: string, follow: boolean): string | undefined {
  try {
    return tree.resolve(path, follow)
  } catch {
    return undefined
  }
}

const isUnreadLink = ({ kind, target }: TreeNode): boolean => kind === 'symlink' && target === undefined

function faultOf(error: unknown): FileFault | undefined {
  if (error instanceof FileFault) return error
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EIO'
  return code === 'EACCES' || code === 'PolicyError' || code === 'denied' ? new FileFault('EACCES') : undefined
}

function destOf({ op, to, path, as, toAs }: Question): { readonly dest?: string } {
  if (op === 'symlink') return { dest: as ?? path }
  return to === undefined ? {} : { dest: toAs ?? to }
}

interface Question extends FileQuestion {
  /** Name of the system call for error messages. */
  readonly syscall: string
  /** The paths as the program gave them, for error messages. */
  readonly as?: string
  readonly toAs?: string
}

type Type = 'string' | 'boolean' | 'integer' | 'offset' | 'number'

const TYPES: Readonly<Record<keyof Question, Type>> = {
  op: 'string',
  path: 'string',
  to: 'string',
  flag: 'string',
  recursive: 'boolean',
  force: 'boolean',
  mode: 'number',
  length: 'integer',
  position: 'offset',
  nofollow: 'boolean',
  mtimeMs: 'number',
  target: 'string',
  exclusive: 'boolean',
  syscall: 'string',
  as: 'string',
  toAs: 'string',
}
const NEEDED = ['op', 'path', 'syscall'] as const

/** Checks types, because a program can replace the code that asks, and the accounting of memory relies on the types. @throws {TypeError} */
function questionOf(given: unknown): Question {
  const question = (typeof given === 'object' && given !== null ? given : {}) as Partial<Record<string, unknown>>
  const needed = NEEDED.find((name) => question[name] === undefined)
  if (needed !== undefined) throw new TypeError(`The question about a file has no "${needed}"`)
  for (const [name, type] of Object.entries(TYPES)) {
    const value = question[name]
    if (value !== undefined && !is(value, type)) throw new TypeError(`The "${name}" of a question about a file must be of type ${type}`)
  }
  return question as unknown as Question
}

function is(value: unknown, type: Type): boolean {
  if (type === 'offset') return Number.isSafeInteger(value) && (value as number) >= 0
  return type === 'integer' ? Number.isSafeInteger(value) : typeof value === type
}
