import { FsError, InputError, JsError, ShellError } from '../../../src/errors/index.js'
import type { WorkerPort } from './worker-like.js'

/**
 * Answers the calls of one method.
 *
 * @param args declared as a tuple of the values that the other side sends
 * @param signal returns the signal of the call, which aborts when the caller no longer wants the answer. Created on demand, because most
 * calls need no signal
 */
export type Handler = (args: never, signal: () => AbortSignal) => unknown
export type Handlers = Readonly<Record<string, Handler>>
export type Send = (message: Message, transfer: ArrayBuffer[]) => void

interface Pending {
  resolve(value: unknown): void
  reject(cause: Error): void
}

/** Calls in both directions over one port. A byte array that a handler returns is transferred, not copied. */
export interface Line {
  /** @param signal its abort tells the other side that the caller no longer wants the answer. `ask` still waits for the answer */
  ask(method: string, args?: readonly unknown[], signal?: AbortSignal): Promise<unknown>
  tell(method: string, ...args: readonly unknown[]): void
  receive(data: unknown): void
  /** Resolves when no call of the other side is running on this side. */
  settled(): Promise<void>
  /** Ends the connection: rejects pending calls with `cause`, and aborts the other side's running calls. */
  close(cause: Error): void
}

/** @param handlersNow returns the current handlers */
export function createLine(send: Send, handlersNow: () => Handlers): Line {
  const pending = new Map<number, Pending>()
  /** The controllers of calls that the other side has made and that are still running. */
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

const served = new WeakSet<object>()

/** Answers the thread that started this worker. Does nothing if there is no port, or if it is answered already. */
export function servePort(port: WorkerPort | undefined, handlersOf: (line: Line) => Handlers): void {
  if (!port || served.has(port)) return
  served.add(port)
  const line: Line = createLine(
    (message, transfer) => port.postMessage(message, transfer),
    () => handlers,
  )
  const handlers = handlersOf(line)
  port.addEventListener('message', ({ data }) => line.receive(data))
}

/**
 * Replaces byte arguments with copies that have their own buffers. The copies can be transferred, and the caller keeps the original arrays.
 */
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

/** Restores an error, with the properties that callers use. Validates these properties, because another script may send anything. */
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

/** Messages between the page and its worker, in both directions. */
type Message = Ask | Tell | Answer | Cancel

/** A call that always gets an answer. */
interface Ask {
  readonly id: number
  readonly method: string
  readonly args: readonly unknown[]
}

/** A message that gets no answer. */
interface Tell {
  readonly method: string
  readonly args: readonly unknown[]
}

type Answer = { readonly answer: number; readonly value?: unknown } | { readonly answer: number; readonly fault: SentFault }

/** The caller no longer wants the answer. The call still gets an answer. */
interface Cancel {
  readonly cancel: number
  /** The signal's reason if it is a string. */
  readonly reason?: string
}

/** An error as plain data, because messages lose error properties other than name and message. */
interface SentFault {
  readonly name: string
  readonly message: string
  /** The string properties of the error. */
  readonly details: Readonly<Record<string, string>>
  /** For an InputError: the issues. */
  readonly issues?: readonly { readonly path: string; readonly message: string }[]
}

/**
 * Returns whether data is a message of this library. Other data is ignored: developer tools, for example, send messages to the same worker.
 */
function isMessage(data: unknown): data is Message {
  return typeof data === 'object' && data !== null && ('method' in data || 'answer' in data || 'cancel' in data)
}
