import type { JsGrants } from '../../../src/types/js.js'
import type { ShellOutput } from '../../../src/types/shell.js'
import { plainError } from '../../shared/js/plain-error.js'
import { type FrameKind, FrameReader, overlap } from './frames.js'
import type { Inbox } from './inbox.js'
import { type GuestMessage, MAX_MESSAGE, type Post } from './task.js'

export interface ConversationOptions {
  readonly token: string
  readonly inbox: Inbox
  /**
   * `copy`: full path of the copy of the program that runs; Node names this path in errors. `main`: full path of the program itself, which
   * replaces `copy` in stderr.
   */
  readonly copy: string
  readonly main: string
  readonly invokeTool: JsGrants['invokeTool']
  readonly onOutput: (output: ShellOutput) => void
  /** Called with the number of input posts that the program has read since the last call. */
  readonly onTaken?: (posts: number) => void
  /** Called if the answer to a tool call could not be delivered: without the answer, the program would wait forever. */
  readonly onLost: (error: unknown) => void
}

/** The host's end of the connection to a program: receives output and the result, and answers tool calls. */
export interface Conversation {
  /** Processes text that the program wrote to its terminal. */
  push(text: string): void
  /** Call at the end of the output. */
  finish(): void
  /** Aborts pending tool calls. */
  end(): void
  /** The program's default export, if the program reported one. */
  readonly result: unknown
  /** The exit code that the program reported, or undefined if it reported none. */
  readonly exitCode: number | undefined
}

export function createConversation(options: ConversationOptions): Conversation {
  const { invokeTool, inbox, onOutput } = options
  const ending = new AbortController()
  const renamer = createRenamer(options.copy, options.main)
  const decoders = { stdout: createDecoder(), stderr: createDecoder() }
  const message = createDecoder()
  let pieces = ''
  let result: unknown
  let exitCode: number | undefined

  const tell = (stream: ShellOutput['stream'], text: string): void => {
    const shown = stream === 'stderr' ? renamer.push(text) : text
    if (shown !== '') onOutput({ stream, text: shown })
  }

  async function answer({ call, name, input }: Extract<GuestMessage, { readonly call: number }>): Promise<void> {
    const post = await outcome(call, async () => invokeTool?.(name, input, { signal: ending.signal }))
    if (ending.signal.aborted) return
    await inbox.post(post).catch((error) => {
      if (!ending.signal.aborted) options.onLost(error)
    })
  }

  function hear(text: string): void {
    const heard = parse(text)
    if (heard === undefined) return
    if ('result' in heard) result = heard.result
    else if ('exit' in heard) exitCode = heard.exit
    else if ('taken' in heard) options.onTaken?.(heard.taken)
    else if (invokeTool && !ending.signal.aborted) void answer(heard)
  }

  function frame(kind: FrameKind, bytes: Uint8Array): void {
    if (kind === '1') tell('stdout', decoders.stdout.decode(bytes, { stream: true }))
    else if (kind === '2') tell('stderr', decoders.stderr.decode(bytes, { stream: true }))
    else {
      const piece = message.decode(bytes, { stream: kind === 'm' })
      // The guest script rejects longer messages, so a longer message does not come from the guest script and is dropped.
      if (pieces.length <= MAX_MESSAGE) pieces += piece
      if (kind === 'm') return
      const whole = pieces
      pieces = ''
      if (whole.length <= MAX_MESSAGE) hear(whole)
    }
  }

  const reader = new FrameReader(options.token, { frame, text: (text) => tell('stderr', text) })
  return {
    push: (text) => reader.push(text),
    finish() {
      reader.finish()
      tell('stdout', decoders.stdout.decode())
      tell('stderr', decoders.stderr.decode())
      const rest = renamer.finish()
      if (rest !== '') onOutput({ stream: 'stderr', text: rest })
    },
    end: () => ending.abort(),
    get result() {
      return result
    },
    get exitCode() {
      return exitCode
    },
  }
}

const createDecoder = (): TextDecoder => new TextDecoder('utf-8', { ignoreBOM: true })

async function outcome(call: number, work: () => Promise<unknown>): Promise<Post> {
  try {
    const output = await work()
    const { length } = JSON.stringify(output) ?? ''
    if (length > MAX_MESSAGE) throw new RangeError(`The output has ${length} characters as JSON, and ${MAX_MESSAGE} are the most`)
    return { call, output }
  } catch (error) {
    return { call, error: plainError(error) }
  }
}

/** Returns undefined for an invalid message, because a program can write anything to the terminal. */
function parse(text: string): GuestMessage | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return isMessage(message) ? message : undefined
  } catch {
    return undefined
  }
}

function isMessage(message: unknown): message is GuestMessage {
  if (typeof message !== 'object' || message === null) return false
  if ('result' in message) return true
  if ('exit' in message) return typeof message.exit === 'number'
  if ('taken' in message) return typeof message.taken === 'number'
  return 'call' in message && typeof message.call === 'number' && 'name' in message && typeof message.name === 'string'
}

interface Renamer {
  push(text: string): string
  finish(): string
}

/** Replaces `from` with `to` in text that arrives in pieces, even where `from` is split between pieces. */
function createRenamer(from: string, to: string): Renamer {
  let held = ''
  return {
    push(piece) {
      const text = (held + piece).replaceAll(from, () => to)
      const keep = text.length - overlap(text, from)
      held = text.slice(keep)
      return text.slice(0, keep)
    },
    finish() {
      const text = held
      held = ''
      return text
    },
  }
}
