import type { Cursors } from './follows.js'

export type ClientMessage =
  | { readonly type: 'list' }
  | { readonly type: 'follow' | 'ack'; readonly session: string; readonly cursor: Cursors }
  | { readonly type: 'unfollow'; readonly session: string }

const LONGEST_ID = 100

/** Parses a message from a client. Returns a string with the reason when the message is invalid. */
export function readClientMessage(data: string | ArrayBuffer): ClientMessage | string {
  if (typeof data !== 'string') return 'Messages are JSON text'
  let message: unknown
  try {
    message = JSON.parse(data)
  } catch {
    return 'The message is not JSON'
  }
  if (typeof message !== 'object' || message === null) return 'A message is an object with a "type"'
  const { type, session, cursor = {} } = message as Readonly<Record<string, unknown>>
  if (type === 'list') return { type }
  if (type !== 'follow' && type !== 'ack' && type !== 'unfollow') return 'The "type" of a message is follow, ack, unfollow or list'
  if (typeof session !== 'string' || session.length > LONGEST_ID) return '"session" has to be the id of a background session'
  if (type === 'unfollow') return { type, session }
  const cursors = cursorsOf(cursor)
  return cursors ? { type, session, cursor: cursors } : '"cursor" has to be { stdout, stderr }: whole numbers from 0 up'
}

function cursorsOf(value: unknown): Cursors | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { stdout = 0, stderr = 0 } = value as Readonly<Record<string, unknown>>
  return isCursor(stdout) && isCursor(stderr) ? { stdout, stderr } : undefined
}

const isCursor = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
