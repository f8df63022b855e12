import type { JsGrants } from '../../../src/types/js.js'
import type { ShellOutput } from '../../../src/types/shell.js'
import { plainError } from '../../shared/js/plain-error.js'
import { type FrameKind, FrameReader, overlap } from './frames.js'
import type { Inbox } from './inbox.js'
import { type GuestMessage, MAX_MESSAGE, type Post } from './task.js'

export interface ConversationOptions {
  readonly token: string
  readonly inbox: Inbox
  /** Path of the copy that runs, as named in errors, and the program's own path. */
  readonly copy: string
  readonly main: string
  readonly invokeTool: JsGrants['invokeTool']
  readonly onOutput: (output: ShellOutput) => void
  /** Called with the number of input posts that the program has read. */
  readonly onTaken?: (posts: number) => void
  /** Called if a tool's answer could not be delivered: the program would wait for it forever. */
  readonly onLost: (error: unknown) => void
}

/** The host's side of a program: receives output and result, and answers tool calls. */
export interface Conversation {
  /** Processes text of the terminal. */
  push(text: string): void
  /** Call at the end of the output. */
  finish(): void
  /** Cancels pending calls. */
  end(): void
  /** The default export. */
  readonly result: unknown
  /** The exit code that the program reported itself, if it did. */
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
      // The guest script rejects longer messages, so this one is not from the script and is dropped.
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

/** Ignores invalid messages: a program may write anything. */
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

/** Replaces one name with another in text that arrives in pieces. */
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
