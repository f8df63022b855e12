import { FsError, InputError, JsError, ShellError } from '../../../src/errors/index.js'

/**
 * Answers calls of one method.
 *
 * @param args declared as a tuple of what the other side sends
 * @param signal of the call, made when it is asked for: most calls never do. Aborts when the answer is not wanted any more
 */
export type Handler = (args: never, signal: () => AbortSignal) => unknown
export type Handlers = Readonly<Record<string, Handler>>
export type Send = (message: Message, transfer: ArrayBuffer[]) => void

interface Pending {
  resolve(value: unknown): void
  reject(cause: Error): void
}

/** Calls in both directions over one port. Whole arrays of bytes are handed over, not copied, where they are an answer. */
export interface Line {
  /** @param signal tells the other side that the answer is not wanted any more; it is waited for all the same */
  ask(method: string, args?: readonly unknown[], signal?: AbortSignal): Promise<unknown>
  tell(method: string, ...args: readonly unknown[]): void
  receive(data: unknown): void
  /** Resolves when none of the other side's calls is under way here. */
  settled(): Promise<void>
  /** Nothing comes in and nothing goes out any more; whoever waits is told why, and what the other side has under way here is told so. */
  close(cause: Error): void
}

/** @param handlersNow those of the moment */
export function createLine(send: Send, handlersNow: () => Handlers): Line {
  const pending = new Map<number, Pending>()
  /** Of the other side's calls that are under way. */
  const cancels = new Map<number, AbortController>()
  let underWay = 0
  const idle: (() => void)[] = []
  let last = 0
  let closed: Error | undefined

  const post = (message: Message, transfer: ArrayBuffer[] = []): void => {
    if (!closed) send(message, transfer)
  }
  const signalOf = (id: number | undefined): AbortSignal => {
    const controller = new AbortController()
    if (id !== undefined) cancels.set(id, controller)
    return controller.signal
  }
  const handle = (call: Ask | Tell, id: number | undefined): unknown => {
    const handlers = handlersNow()
    const handler = Object.hasOwn(handlers, call.method) ? handlers[call.method] : undefined
    if (!handler) throw new Error('the page and its worker are of different versions of this library')
    return handler(call.args as never, () => signalOf(id))
  }
  const serve = async (call: Ask | Tell): Promise<void> => {
    const id = 'id' in call ? call.id : undefined
    underWay++
    try {
      const value = await handle(call, id)
      if (id !== undefined) post({ answer: id, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [])
    } catch (cause) {
      if (id !== undefined) post({ answer: id, fault: sentFault(cause) })
    } finally {
      if (id !== undefined) cancels.delete(id)
      if (--underWay === 0) for (const resolve of idle.splice(0)) resolve()
    }
  }

  return {
    ask(method, args = [], signal) {
      if (closed) return Promise.reject(closed)
      const id = ++last
      return new Promise((resolve, reject) => {
        const cancel = (): void => post({ cancel: id, ...(typeof signal?.reason === 'string' && { reason: signal.reason }) })
        const settled =
          <T>(body: (value: T) => void) =>
          (value: T): void => {
            signal?.removeEventListener('abort', cancel)
            body(value)
          }
        pending.set(id, { resolve: settled(resolve), reject: settled(reject) })
        const { sent, transfer } = withOwnBytes(args)
        post({ id, method, args: sent }, transfer)
        if (signal?.aborted) cancel()
        else signal?.addEventListener('abort', cancel, { once: true })
      })
    },
    tell: (method, ...args) => post({ method, args }),
    receive(data) {
      if (closed || !isMessage(data)) return
      if ('answer' in data) {
        const waiting = pending.get(data.answer)
        pending.delete(data.answer)
        if ('fault' in data) waiting?.reject(receivedFault(data.fault ?? {}))
        else waiting?.resolve(data.value)
      } else if ('cancel' in data) cancels.get(data.cancel)?.abort(data.reason)
      else void serve(data)
    },
    settled: () => (underWay === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
    close(cause) {
      if (closed) return
      closed = cause
      for (const { reject } of pending.values()) reject(cause)
      pending.clear()
      for (const controller of cancels.values()) controller.abort()
    },
  }
}

/** Bytes among the arguments stay the caller's: copies are sent, of what is seen of a buffer only. */
function withOwnBytes(args: readonly unknown[]): { readonly sent: readonly unknown[]; readonly transfer: ArrayBuffer[] } {
  if (!args.some((arg) => arg instanceof Uint8Array)) return { sent: args, transfer: [] }
  const transfer: ArrayBuffer[] = []
  const sent = args.map((arg) => {
    if (!(arg instanceof Uint8Array)) return arg
    const own = new Uint8Array(arg)
    transfer.push(own.buffer)
    return own
  })
  return { sent, transfer }
}

function sentFault(error: unknown): SentFault {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), details: {} }
  const details = Object.entries(error).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const issues = error instanceof InputError ? { issues: error.issues } : {}
  return { name: error.name, message: error.message, details: Object.fromEntries(details), ...issues }
}

/** The error again, as far as anybody looks at it: codes tell more than words. A script that is another one may send anything. */
function receivedFault({ name = 'Error', message = '', details = {}, issues = [] }: Partial<SentFault>): Error {
  const { code = '', op = 'use', path = '', dest, detail } = details
  if (name === 'FsError' && FsError.isCode(code)) {
    return new FsError({ code, op, path, ...(dest !== undefined && { dest }), ...(detail !== undefined && { detail }) })
  }
  if (name === 'ShellError') return new ShellError(code as ShellError['code'], message)
  if (name === 'JsError') return new JsError(code as JsError['code'], message)
  if (name === 'InputError') return new InputError(code as InputError['code'], message, { issues })
  return Object.assign(new Error(message), { name, ...(code !== '' && { code }) })
}

/** What the page and its worker send each other. Either of them asks and answers. */
type Message = Ask | Tell | Answer | Cancel

/** Answered, whatever happens. */
interface Ask {
  readonly id: number
  readonly method: string
  readonly args: readonly unknown[]
}

/** Not answered. */
interface Tell {
  readonly method: string
  readonly args: readonly unknown[]
}

type Answer = { readonly answer: number; readonly value?: unknown } | { readonly answer: number; readonly fault: SentFault }

/** Whoever asked does not want it any more. It is answered all the same. */
interface Cancel {
  readonly cancel: number
  /** That of the signal, where it is a text. */
  readonly reason?: string
}

/** An error as it is sent: what a class keeps beside name and message is lost on the way. */
interface SentFault {
  readonly name: string
  readonly message: string
  /** The properties that were strings. */
  readonly details: Readonly<Record<string, string>>
  /** Of an input that is wrong. */
  readonly issues?: readonly { readonly path: string; readonly message: string }[]
}

/** Others may send messages to the same worker: developer tools do. */
function isMessage(data: unknown): data is Message {
  return typeof data === 'object' && data !== null && ('method' in data || 'answer' in data || 'cancel' in data)
}
