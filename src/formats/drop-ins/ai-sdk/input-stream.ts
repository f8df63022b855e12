import { InputError } from '../../../errors/index.js'
import { codePointBoundary } from '../../../ops/utf8.js'
import type { Session } from '../../../types/session.js'
import type { Calls } from '../shared/calls.js'

/** Characters of one call: 1 MiB of UTF-8 may wait. */
const PIECE = 64 * 1024
/** Between two attempts while the program does not read. */
const PAUSE_MS = 50
const TOOL = 'write_background_bash'

/** What is written becomes the standard input of the session; it waits while the program does not read. */
export function createInputStream(calls: Calls, session: Session): WritableStream<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const decode = (bytes: Uint8Array | undefined): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch {
      throw new InputError('invalid_input', 'Cannot write to stdin: it takes UTF-8 text, and these bytes are none')
    }
  }
  return new WritableStream<Uint8Array>({
    async write(chunk) {
      const text = decode(chunk)
      for (let at = 0, end = 0; at < text.length; at = end) {
        end = codePointBoundary(text, at + PIECE)
        await send(calls, session, { input: text.slice(at, end), append_newline: false })
      }
    },
    async close() {
      decode(undefined)
      // Reading has ended with the process.
      if (session.info.state === 'running') await send(calls, session, { key: 'ctrl+d' })
    },
    async abort() {
      await session.press('ctrl+d').catch(() => undefined)
    },
  })
}

async function send(calls: Calls, session: Session, input: Readonly<Record<string, unknown>>): Promise<void> {
  const { host } = calls.runtime.workspace
  for (;;) {
    const result = await calls.attempt(TOOL, { session_id: session.id, ...input })
    if (result.ok) return
    if (result.output.code !== 'input_full') throw calls.failed(result)
    await host.sleep(PAUSE_MS, calls.signal)
  }
}
