import type { LiveAnswer, LiveQuestion } from '../../shared/js/live.js'
import type { Answer } from '../answer.js'
import type { Job, Services } from '../job.js'
import type { Room } from '../room.js'
import type { FileCalls } from './calls.js'
import { FileFault, faultAnswer } from './faults.js'
import { createOperations } from './operations.js'
import { type Question, questionOf } from './question.js'
import { createTree } from './tree.js'

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
  /** How many questions wait for what is at a path, or use it. */
  const inUse = new Map<string, number>()
  /** What the workspace has at a path now. A link leads on. */
  const look = async (path: string, looked: string[], left = 40): Promise<void> => {
    let at: string
    try {
      at = tree.resolve(path, false)
    } catch {
      at = path
    }
    if (!`${at}/`.startsWith(`${snapshot.root}/`)) return
    looked.push(at)
    inUse.set(at, (inUse.get(at) ?? 0) + 1)
    const [entry] = (await ask({ ask: 'entry', path: at })) ?? []
    tree.refresh(at, entry)
    if (entry?.kind === 'symlink' && entry.target !== undefined && left > 0) {
      await look(entry.target.startsWith('/') ? entry.target : `${at.slice(0, at.lastIndexOf('/'))}/${entry.target}`, looked, left - 1)
    }
  }
  /** Another question may wait for what this one has read. */
  const settle = (looked: readonly string[]): void => {
    for (const at of looked) {
      const users = (inUse.get(at) ?? 1) - 1
      if (users > 0) inUse.set(at, users)
      else {
        inUse.delete(at)
        tree.settle(at)
      }
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
    async later(given, bytes) {
      const question = questionOf(given)
      const looked: string[] = []
      try {
        await look(question.path, looked)
        if (question.to !== undefined) await look(question.to, looked)
        if (question.op === 'readdir' || question.recursive) await list(question.path, question.recursive === true)
        return run(question, bytes)
      } catch (error) {
        const denied = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EIO'
        if (denied === 'EACCES' || denied === 'PolicyError' || denied === 'denied')
          return faultAnswer(new FileFault('EACCES'), { syscall: question.syscall, path: question.as ?? question.path })
        throw error
      } finally {
        settle(looked)
      }
    },
    changes: () => tree.changes(),
  }
}

function destOf({ op, to, path, as, toAs }: Question): { readonly dest?: string } {
  if (op === 'symlink') return { dest: as ?? path }
  return to === undefined ? {} : { dest: toAs ?? to }
}
