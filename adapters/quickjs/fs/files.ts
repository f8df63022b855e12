import type { LiveAnswer, LiveQuestion } from '../../shared/js/live.js'
import type { Answer } from '../answer.js'
import type { Job, Services } from '../job.js'
import type { Room } from '../room.js'
import type { FileCalls } from './calls.js'
import { FileFault, faultAnswer } from './faults.js'
import { createOperations } from './operations.js'
import { type Question, questionOf } from './question.js'
import { createTree, type Tree } from './tree.js'

/** The files of one program: the tree that it found, and what it has done to it so far. */
export function createFiles({ snapshot, grants, now }: Job, services: Services, room: Room): FileCalls {
  if (!snapshot) throw new TypeError('a program without a snapshot has no files')
  const began = performance.now()
  const clock = (): number => now + (performance.now() - began)
  const tree = createTree(snapshot, clock, room)
  const operations = createOperations({ tree, now: clock, writable: grants.fs === 'write' })
  const run = (question: Question, bytes: Uint8Array | undefined): Answer => {
    try {
      const operation = Object.hasOwn(operations, question.op) ? operations[question.op] : undefined
      if (!operation) throw new FileFault('EINVAL')
      return operation(question, bytes)
    } catch (error) {
      if (!(error instanceof FileFault)) throw error
      if (question.op === 'exists') return 'false'
      return faultAnswer(error, { syscall: question.syscall, path: question.target ?? question.as ?? question.path, ...destOf(question) })
    }
  }
  const ask = (question: LiveQuestion): Promise<LiveAnswer> => services.file(question) as Promise<LiveAnswer>
  /** What the workspace has at a path now, and of a file, unless it is about to be replaced, the content. A link leads on. */
  const look = async (path: string, looked: string[], replaced = false, left = 40): Promise<void> => {
    const at = placeOf(tree, path)
    if (at === undefined || !`${at}/`.startsWith(`${snapshot.root}/`)) return
    looked.push(at)
    const [entry] = (await ask({ ask: 'entry', path: at })) ?? []
    tree.refresh(at, entry && replaced ? { ...entry, bytes: undefined } : entry)
    if (entry?.kind === 'symlink' && entry.target !== undefined && left > 0) {
      const target = entry.target.startsWith('/') ? entry.target : `${at.slice(0, at.lastIndexOf('/'))}/${entry.target}`
      await look(target, looked, replaced, left - 1)
    }
  }
  const list = async (path: string, recursive: boolean): Promise<void> => {
    let at: string
    try {
      at = tree.resolve(path)
    } catch {
      return
    }
    if (!`${at}/`.startsWith(`${snapshot.root}/`)) return
    const found = await ask({ ask: 'list', path: at }).catch(() => undefined)
    if (!found) return
    const names = new Set(found.map((entry) => entry.path))
    for (const name of tree.children(at)) if (!names.has(`${at}/${name}`)) tree.refresh(`${at}/${name}`, undefined)
    for (const entry of found) {
      tree.refresh(entry.path, entry)
      if (recursive && entry.kind === 'dir') await list(entry.path, true)
    }
  }
  return {
    now: (given, bytes) => run(questionOf(given), bytes),
    async later(given, bytes, release) {
      const question = questionOf(given)
      const looked: string[] = []
      try {
        await look(question.path, looked)
        if (question.to !== undefined) await look(question.to, looked, true)
        if (question.op === 'readdir' || question.recursive) await list(question.path, question.recursive === true)
        release?.()
        return run(question, bytes)
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

/** Where a path leads, as far as is known; undefined: it has to be known first what lies before its `..`. */
function placeOf(tree: Tree, path: string): string | undefined {
  try {
    return tree.resolve(path, false)
  } catch {
    const parts = path.split('/').filter((part) => part !== '' && part !== '.')
    return parts.includes('..') ? undefined : `/${parts.join('/')}`
  }
}

function faultOf(error: unknown): FileFault | undefined {
  if (error instanceof FileFault) return error
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EIO'
  return code === 'EACCES' || code === 'PolicyError' || code === 'denied' ? new FileFault('EACCES') : undefined
}

function destOf({ op, to, path, as, toAs }: Question): { readonly dest?: string } {
  if (op === 'symlink') return { dest: as ?? path }
  return to === undefined ? {} : { dest: toAs ?? to }
}
