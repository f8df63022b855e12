import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import type { FsTimes, Scanned } from '../../src/types/fs.js'
import { type Access, type Pin, withDirectory } from './access.js'
import { brief } from './short-syscalls.js'
import { O_NOFOLLOW, O_NONBLOCK, SMALL_TRANSFER } from './syscalls.js'

/** Number of entries to read between two checks whether to yield to the event loop. */
const AT_ONCE = 16
const FLAGS = constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK
/**
 * One buffer for all calls, because each call fills and searches it without waiting in between. The extra byte shows whether a file has
 * grown.
 */
const content = Buffer.allocUnsafeSlow(SMALL_TRANSFER + 1)

/**
 * Returns the content of small text files that contain the needle. Without a needle, returns the content of all small text files. For any
 * other entry the result is undefined, and the caller must use `read`.
 */
export function scanFiles(access: Access, directory: string, names: readonly string[], needle?: Uint8Array): Promise<Scanned[]> {
  return eachBelow(access, directory, names, (pin, name) => scan(pin, name, needle))
}

export function timesOf(access: Access, directory: string, names: readonly string[]): Promise<(FsTimes | undefined)[]> {
  return eachBelow(access, directory, names, (pin, name) => {
    const stat = lstatSync(pin.at(name), { throwIfNoEntry: false })
    return stat?.isFile() ? { size: stat.size, mtimeMs: stat.mtimeMs } : undefined
  })
}

/** Pins the directory once and calls `ask` for each name in it. */
function eachBelow<T>(
  access: Access,
  directory: string,
  names: readonly string[],
  ask: (pin: Pin, name: string) => T | undefined,
): Promise<(T | undefined)[]> {
  return withDirectory(access, directory, async (pin) => {
    const answers: (T | undefined)[] = []
    const tryToAsk = (name: string): T | undefined => {
      try {
        return ask(pin, name)
      } catch {
        // Give no answer for this entry. A separate call for the entry then reports the error.
        return undefined
      }
    }
    for (let at = 0; at < names.length; at += AT_ONCE) {
      const part = names.slice(at, at + AT_ONCE)
      const unanswered = async (): Promise<undefined[]> => part.map(() => undefined)
      answers.push(...(await brief(() => part.map(tryToAsk), unanswered)))
    }
    await pin.verify()
    return answers
  })
}

function scan(pin: Pin, name: string, needle: Uint8Array | undefined): Scanned {
  const fd = openSync(pin.at(name), FLAGS)
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile() || stat.size > SMALL_TRANSFER) return undefined
    const bytes = content.subarray(0, readSync(fd, content, 0, stat.size + 1, 0))
    if (bytes.length !== stat.size || bytes.includes(0)) return undefined
    return needle && bytes.indexOf(needle) < 0 ? 'absent' : new Uint8Array(bytes)
  } finally {
    closeSync(fd)
  }
}
