import { type LiveAnswer, type LiveQuestion, PIECE } from '../../shared/js/live.js'
import type { SnapshotEntry } from '../../shared/js/snapshot.js'
import { mostAtOnce, type Room } from '../room.js'
import { FileFault } from './faults.js'
import type { Tree } from './tree.js'

/** What is read of the workspace while a program waits. */
export interface Contents {
  /**
   * What is at a path; of a file the content, if it is asked for, or if the program was given what it had before. None where it is known already.
   *
   * @throws {FileFault} ENOMEM, EBUSY
   */
  entry(path: string, content: boolean): Promise<SnapshotEntry | undefined>
}

/** Somebody may write all the time. */
const TRIES = 3

export function createContents(ask: (question: LiveQuestion) => Promise<LiveAnswer>, tree: Tree, room: Room): Contents {
  const first = async (question: LiveQuestion): Promise<SnapshotEntry | undefined> => (await ask(question))?.[0]
  const left = (): number => Math.max(0, mostAtOnce(room) - tree.lent())
  /** Undefined: it has changed meanwhile. */
  const whole = async (path: string, size: number, version: string | undefined): Promise<Uint8Array | undefined> => {
    const bytes = new Uint8Array(size)
    for (let offset = 0; offset < size; ) {
      const piece = await first({ ask: 'piece', path, offset, length: Math.min(PIECE, size - offset) })
      if (!piece?.bytes?.length || piece.version !== version) return undefined
      bytes.set(piece.bytes.subarray(0, size - offset), offset)
      offset += piece.bytes.length
    }
    return bytes
  }
  return {
    async entry(path, content) {
      for (let tries = 0; tries < TRIES; tries++) {
        const most = left()
        const found = await first({ ask: 'entry', path, ...(content && !tree.hasContent(path) && { content: Math.min(most, PIECE) }) })
        if (found?.kind !== 'file' || found.bytes || tree.isKnown(path, found)) return found
        const { size = 0, version } = found
        if (!content && (!tree.keepsUp(path) || size > most)) return found
        if (size > most)
          throw new FileFault('ENOMEM', `it has ${size} bytes, and of ${room.maxBytes} that this program may hold ${most} can be read`)
        const bytes = await whole(path, size, version)
        if (bytes) return { ...found, bytes }
      }
      throw new FileFault('EBUSY', 'it changed each time while it was read')
    },
  }
}
