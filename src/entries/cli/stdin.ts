import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import { createInterface, type Interface } from 'node:readline'
import { UsageError } from './options.js'

/** Reads all of stdin as text. If the signal aborts, returns the text that has arrived so far. */
export async function readStdin(signal: AbortSignal): Promise<string> {
  signal.addEventListener('abort', () => process.stdin.destroy(), { once: true })
  const chunks: Buffer[] = []
  try {
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  } catch (error) {
    if (!signal.aborted) throw error
  }
  const bytes = Buffer.concat(chunks)
  // After an abort the text may end inside a character, so do not check its encoding.
  if (!signal.aborted && !isUtf8(bytes)) throw new UsageError('Cannot read the input: it is not UTF-8 text')
  return bytes.toString('utf8')
}

/** Returns the lines of a file, or of stdin for "-". @throws {UsageError} for a file that cannot be read */
export async function readLines(file: string): Promise<Interface> {
  if (file === '-') return createInterface({ input: process.stdin })
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`Cannot read "${file}": ${error.code}`)
  })
  if ((await handle.stat()).isDirectory()) {
    await handle.close()
    throw new UsageError(`Cannot read "${file}": it is a directory`)
  }
  return createInterface({ input: handle.createReadStream() })
}
