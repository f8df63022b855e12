/** An error on its way to the other side. */
interface SentFault {
  readonly name: string
  readonly message: string
  readonly code?: string
}

type Message =
  | { readonly ask: number; readonly method: string; readonly args: readonly unknown[] }
  | { readonly tell: string; readonly args: readonly unknown[] }
  | { readonly answer: number; readonly value?: unknown; readonly fault?: SentFault }

export type Handler = (...args: never[]) => unknown
export type Handlers = Readonly<Record<string, Handler>>

interface Pending {
  resolve(value: unknown): void
  reject(cause: Error): void
}

/** Calls in both directions over one port. */
export interface Line {
  ask(method: string, ...args: readonly unknown[]): Promise<unknown>
  tell(method: string, ...args: readonly unknown[]): void
  receive(data: unknown): void
  /** Nothing comes in and nothing goes out any more; whoever waits is told why. */
  close(cause: Error): void
}

/** @param handlersNow those of the moment */
export function createLine(send: (message: unknown) => void, handlersNow: () => Handlers): Line {
  const pending = new Map<number, Pending>()
  let last = 0
  let closed: Error | undefined
  const post = (message: Message): void => {
    if (!closed) send(message)
  }
  const handle = (method: string, args: readonly unknown[]): unknown => {
    const handlers = handlersNow()
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined
    if (!handler) throw new Error('the page and its worker are of different versions of this library')
    return handler(...(args as never[]))
  }
  const serve = async (id: number, method: string, args: readonly unknown[]): Promise<void> => {
    try {
      const value = await handle(method, args)
      post({ answer: id, value })
    } catch (cause) {
      post({ answer: id, fault: sent(cause) })
    }
  }
  return {
    ask(method, ...args) {
      if (closed) return Promise.reject(closed)
      const id = ++last
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject })
        post({ ask: id, method, args })
      })
    },
    tell: (method, ...args) => post({ tell: method, args }),
    receive(data) {
      if (closed || !isMessage(data)) return
      if ('ask' in data) void serve(data.ask, data.method, data.args)
      else if ('tell' in data) handle(data.tell, data.args)
      else {
        const waiting = pending.get(data.answer)
        pending.delete(data.answer)
        if (data.fault) waiting?.reject(received(data.fault))
        else waiting?.resolve(data.value)
      }
    },
    close(cause) {
      if (closed) return
      closed = cause
      for (const { reject } of pending.values()) reject(cause)
      pending.clear()
    },
  }
}

/** Others may send messages to the same worker: developer tools do. */
function isMessage(data: unknown): data is Message {
  return typeof data === 'object' && data !== null && ('ask' in data || 'tell' in data || 'answer' in data)
}

function sent(cause: unknown): SentFault {
  if (!(cause instanceof Error)) return { name: 'Error', message: String(cause) }
  const code = 'code' in cause && typeof cause.code === 'string' ? { code: cause.code } : {}
  return { name: cause.name, message: cause.message, ...code }
}

function received({ name, message, code }: SentFault): Error {
  return Object.assign(new Error(message), { name, ...(code !== undefined && { code }) })
}
