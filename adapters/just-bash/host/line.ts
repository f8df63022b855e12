import { receivedFault, sentFault } from './faults.js'
import { type Ask, isMessage, type Message, type Tell } from './messages.js'

/** @param signal made when it is asked for: most calls never do */
export type Handler = (args: readonly unknown[], signal: () => AbortSignal) => unknown
export type Handlers = Readonly<Record<string, Handler>>
export type Send = (message: Message, transfer: ArrayBuffer[]) => void

interface Pending {
  resolve(value: unknown): void
  reject(cause: Error): void
}

/** Calls in both directions over one port. Whole arrays of bytes are handed over, not copied, where they are an answer. */
export class Line {
  readonly #send: Send
  readonly #handlers: Handlers
  readonly #pending = new Map<number, Pending>()
  /** Of the other side's calls that are under way. */
  readonly #cancels = new Map<number, AbortController>()
  #underWay = 0
  #idle: (() => void)[] = []
  #last = 0
  #closed: Error | undefined

  constructor(send: Send, handlers: Handlers) {
    this.#send = send
    this.#handlers = handlers
  }

  /** @param signal tells the other side that the answer is not wanted any more; it is waited for all the same */
  ask(method: string, args: readonly unknown[] = [], signal?: AbortSignal): Promise<unknown> {
    if (this.#closed) return Promise.reject(this.#closed)
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      const cancel = (): void => this.#post({ cancel: id }, [])
      const settled =
        <T>(body: (value: T) => void) =>
        (value: T): void => {
          signal?.removeEventListener('abort', cancel)
          body(value)
        }
      this.#pending.set(id, { resolve: settled(resolve), reject: settled(reject) })
      const { sent, transfer } = withOwnBytes(args)
      this.#post({ id, method, args: sent }, transfer)
      if (signal?.aborted) cancel()
      else signal?.addEventListener('abort', cancel, { once: true })
    })
  }

  tell(method: string, ...args: readonly unknown[]): void {
    this.#post({ method, args }, [])
  }

  receive(data: unknown): void {
    if (this.#closed || !isMessage(data)) return
    if ('answer' in data) {
      const pending = this.#pending.get(data.answer)
      this.#pending.delete(data.answer)
      if ('fault' in data) pending?.reject(receivedFault(data.fault ?? {}))
      else pending?.resolve(data.value)
    } else if ('cancel' in data) this.#cancels.get(data.cancel)?.abort()
    else void this.#serve(data)
  }

  /** Resolves when none of the other side's calls is under way here. */
  settled(): Promise<void> {
    return this.#underWay === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }

  /** Nothing comes in and nothing goes out any more. What the other side has under way here is told so. */
  close(cause: Error): void {
    if (this.#closed) return
    this.#closed = cause
    for (const { reject } of this.#pending.values()) reject(cause)
    this.#pending.clear()
    for (const controller of this.#cancels.values()) controller.abort()
  }

  async #serve(call: Ask | Tell): Promise<void> {
    const id = 'id' in call ? call.id : undefined
    this.#underWay++
    try {
      const handler = this.#handlers[call.method]
      if (!handler) throw new Error('the page and its worker are of different versions of this library')
      const value = await handler(call.args, () => this.#signalOf(id))
      if (id !== undefined) this.#post({ answer: id, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [])
    } catch (cause) {
      if (id !== undefined) this.#post({ answer: id, fault: sentFault(cause) }, [])
    } finally {
      if (id !== undefined) this.#cancels.delete(id)
      if (--this.#underWay === 0) for (const resolve of this.#idle.splice(0)) resolve()
    }
  }

  #signalOf(id: number | undefined): AbortSignal {
    const controller = new AbortController()
    if (id !== undefined) this.#cancels.set(id, controller)
    return controller.signal
  }

  #post(message: Message, transfer: ArrayBuffer[]): void {
    if (!this.#closed) this.#send(message, transfer)
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
