import type { Duplex } from 'node:stream'
import type { JsGrants } from '../../../src/types/js.js'
import { plainError } from '../../shared/js/plain-error.js'
import type { Tap } from '../shell/pipes.js'
import { type ChildMessage, MAX_MESSAGE, type ParentMessage } from './child/task.js'

/** The parent's end of the channel. Receives the result of a program and answers its tool calls. */
export interface Channel {
  /** Value for `StartOptions.channel`. */
  attach(pipe: Duplex): Tap
  /** Returns the default export. Call when the pipe has ended. */
  result(): unknown
  /** Aborts pending tool calls. */
  end(): void
}

export function createChannel(invokeTool: JsGrants['invokeTool']): Channel {
  const ending = new AbortController()
  let result: unknown

  async function answer(pipe: Duplex, { call, name, input }: Extract<ChildMessage, { readonly call: number }>): Promise<void> {
    const reply = await outcome(call, async () => invokeTool?.(name, input, { signal: ending.signal }))
    if (!ending.signal.aborted) pipe.write(reply)
  }

  function hear(pipe: Duplex, line: string): void {
    const message = parse(line)
    if (message === undefined) return
    if ('result' in message) result = message.result
    else if (invokeTool && !ending.signal.aborted) void answer(pipe, message)
  }

  return {
    attach(pipe) {
      // The program has ended or closed the pipe, so nobody waits for an answer.
      pipe.on('error', () => {})
      const lines = splitLines((line) => hear(pipe, line))
      pipe.on('data', (chunk: Buffer) => {
        if (!lines(chunk)) pipe.destroy()
      })
      const ended = new Promise<void>((resolve) => pipe.once('close', resolve))
      return { ended, close: () => void pipe.destroy() }
    },
    result: () => result,
    end: () => ending.abort(),
  }
}

async function outcome(call: number, work: () => Promise<unknown>): Promise<string> {
  try {
    return encode({ call, output: await work() })
  } catch (error) {
    return encode({ call, error: plainError(error) })
  }
}

/** @throws {TypeError} if the message cannot become JSON; {RangeError} if it is too long */
function encode(message: ParentMessage): string {
  const text = JSON.stringify(message)
  if (text.length > MAX_MESSAGE) throw new RangeError(`The output has ${text.length} characters as JSON, and ${MAX_MESSAGE} are the most`)
  return `${text}\n`
}

/** Parses a message of the program. Ignores invalid messages, because a program may write anything to the channel. */
function parse(line: string): ChildMessage | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return isMessage(message) ? message : undefined
  } catch {
    return undefined
  }
}

function isMessage(message: unknown): message is ChildMessage {
  if (typeof message !== 'object' || message === null) return false
  if ('result' in message) return true
  return 'call' in message && typeof message.call === 'number' && 'name' in message && typeof message.name === 'string'
}

/** Splits chunks into lines. The returned function returns false if a line is longer than any valid message. */
function splitLines(onLine: (line: string) => void): (chunk: Buffer) => boolean {
  let parts: Buffer[] = []
  let size = 0
  return (chunk) => {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      onLine(Buffer.concat([...parts, chunk.subarray(from, end)]).toString('utf8'))
      parts = []
      size = 0
      from = end + 1
    }
    parts.push(chunk.subarray(from))
    size += chunk.length - from
    // A UTF-16 unit takes at most three bytes, because characters of four bytes are two units.
    return size <= 3 * MAX_MESSAGE
  }
}
