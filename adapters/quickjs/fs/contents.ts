import { type LiveAnswer, type LiveQuestion, PIECE } from '../../shared/js/live-files.js'
import type { SnapshotEntry } from '../../shared/js/snapshot.js'
import { type MemoryBudget, makeRoom, mostAtOnce } from '../memory-budget.js'
import { FileFault } from './faults.js'
import type { Tree } from './tree.js'

/** Whether to read the content of a file. `welcome`: only if the snapshot had content for this file. */
export type Wanted = 'needed' | 'welcome' | 'none'

/** Reads from the workspace while a program waits. */
export interface Contents {
  /**
   * The entry at a path, with the content of a file unless it is already known.
   *
   * @throws {FileFault} ENOMEM, EBUSY if the content is needed
   */
  entry(path: string, content: Wanted): Promise<SnapshotEntry | undefined>
  /** Reads up to `length` bytes from `offset`; fewer at the end of the file. @throws {FileFault} ENOMEM, ENOENT */
  part(path: string, offset: number, length: number): Promise<Uint8Array>
}

/** Maximum number of attempts, because another writer may change the file continuously. */
const TRIES = 3

export function createContents(ask: (question: LiveQuestion) => Promise<LiveAnswer>, tree: Tree, budget: MemoryBudget): Contents {
  const first = async (question: LiveQuestion): Promise<SnapshotEntry | undefined> => (await ask(question))?.[0]
  const left = (): number => Math.max(0, mostAtOnce(budget) - tree.lent())
  /** Returns undefined if the file has changed while it was read, because it may be longer now. */
  const whole = async (path: string, size: number, version: string | undefined): Promise<Uint8Array | undefined> => {
    const bytes = new Uint8Array(size)
    for (let offset = 0; ; ) {
      const length = Math.min(PIECE, size - offset + 1)
      const piece = await first({ ask: 'piece', path, offset, length })
      const end = offset + (piece?.bytes?.length ?? 0)
      if (!piece?.bytes || piece.version !== version || end > size) return undefined
      bytes.set(piece.bytes, offset)
      if (piece.bytes.length < length) return end === size ? bytes : undefined
      offset = end
    }
  }
  const checkLeft = (size: number, most: number): void => {
    if (size > most)
      throw new FileFault('ENOMEM', `it has ${size} bytes, and of ${budget.maxBytes} that this program may hold ${most} can be read`)
    makeRoom(budget, size)
  }
  return {
    async part(path, offset, length) {
      checkLeft(length, left())
      const all = new Uint8Array(length)
      let have = 0
      while (have < length) {
        const wanted = Math.min(PIECE, length - have)
        const piece = await first({ ask: 'piece', path, offset: offset + have, length: wanted })
        if (!piece?.bytes) throw new FileFault('ENOENT')
        all.set(piece.bytes, have)
        have += piece.bytes.length
        if (piece.bytes.length < wanted) break
      }
      return have === length ? all : all.slice(0, have)
    },
    async entry(path, content) {
      for (let tries = 0; tries < TRIES; tries++) {
        const most = left()
        const at = content === 'needed' && !tree.hasContent(path) ? { content: Math.min(most, PIECE) } : {}
        const found = await first({ ask: 'entry', path, ...at })
        if (found?.kind !== 'file' || found.bytes || content === 'none' || tree.isKnown(path, found)) return found
        const { size = 0, version } = found
        if (content === 'welcome' && (!tree.keepsUp(path) || size > most)) return found
        checkLeft(size, most)
        const bytes = await whole(path, size, version)
        if (bytes) return { ...found, bytes }
        if (content === 'welcome') return found
      }
      throw new FileFault('EBUSY', 'it changed each time while it was read')
    },
  }
}
