/** What the page and its worker send each other. Either of them asks and answers. */
export type Message = Ask | Tell | Answer | Cancel

/** Answered, whatever happens. */
export interface Ask {
  readonly id: number
  readonly method: string
  readonly args: readonly unknown[]
}

/** Not answered. */
export interface Tell {
  readonly method: string
  readonly args: readonly unknown[]
}

export type Answer = { readonly answer: number; readonly value?: unknown } | { readonly answer: number; readonly fault: SentFault }

/** Whoever asked does not want it any more. It is answered all the same. */
export interface Cancel {
  readonly cancel: number
  /** That of the signal, where it is a text. */
  readonly reason?: string
}

/** An error as it is sent: what a class keeps beside name and message is lost on the way. */
export interface SentFault {
  readonly name: string
  readonly message: string
  /** The properties that were strings. */
  readonly details: Readonly<Record<string, string>>
  /** Of an input that is wrong. */
  readonly issues?: readonly { readonly path: string; readonly message: string }[]
}

/** Others may send messages to the same worker: developer tools do. */
export function isMessage(data: unknown): data is Message {
  return typeof data === 'object' && data !== null && ('method' in data || 'answer' in data || 'cancel' in data)
}
