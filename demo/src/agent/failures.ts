import { APICallError, EmptyResponseBodyError, InvalidResponseDataError, JSONParseError, TypeValidationError } from 'ai'

/** A failure of the model, described for the user. */
export interface Failure {
  /** Short title. */
  readonly title: string
  /** What the user can do. */
  readonly advice: string
  /** The original message, usually from the server. Not our text. */
  readonly said?: string
  /** Whether changing the settings can help. */
  readonly settings?: boolean
}

/** The model sent nothing for `seconds`. */
export class StalledError extends Error {
  override readonly name = 'StalledError'
  readonly seconds: number

  constructor(seconds: number) {
    super(`Nothing came from the model for ${seconds} seconds`)
    this.seconds = seconds
  }
}

/** The server did not start to answer. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** The answer broke off. */
export class BrokenOffError extends Error {
  override readonly name = 'BrokenOffError'
}

/** An answer exceeded the size limit. */
export class TooMuchError extends Error {
  override readonly name = 'TooMuchError'
}

/** The page itself failed, not the model. */
export class PageError extends Error {
  override readonly name = 'PageError'

  constructor(cause: unknown) {
    super(messageOf(cause), { cause })
  }
}

const LONGEST_SAID = 600

/** Describes an error for the user. Removes `key` from the server's message. */
export function failureOf(error: unknown, { address, key }: { readonly address: string; readonly key: string }): Failure {
  const failure = classify(error, hostOf(address))
  if (failure.said === undefined) return failure
  const said = key.length >= 4 ? failure.said.replaceAll(key, '•••') : failure.said
  return { ...failure, said: said.length > LONGEST_SAID ? `${said.slice(0, LONGEST_SAID)}…` : said }
}

function classify(error: unknown, host: string): Failure {
  if (error instanceof StalledError)
    return {
      title: `Nothing came for ${error.seconds} seconds`,
      advice: 'The model was given up. Ask again, or let the page wait longer in the settings.',
      settings: true,
    }
  if (error instanceof PageError)
    return {
      title: 'This page has failed',
      advice: 'It is not the model. What was run stays done, and the timeline takes it back. Ask again to go on.',
      said: error.message,
    }
  if (error instanceof TooMuchError)
    return { title: 'The answer had no end', advice: `${error.message}. It was stopped, and nothing of it was run.` }
  if (error instanceof UnreachableError) return unreachable(host)
  if (isCut(error))
    return { title: 'The answer broke off', advice: 'The connection ended before the answer did. Nothing of it was run: ask again.' }
  if (APICallError.isInstance(error)) return fromCall(error, host)
  if (isNotUnderstood(error))
    return {
      title: 'The answer was not understood',
      advice: `What ${host} sends is not what this protocol says. Look whether the address and the protocol go together.`,
      said: messageOf(error),
      settings: true,
    }
  return { title: 'The model failed', advice: `This came from ${host} in the middle of the answer. Ask again.`, said: messageOf(error) }
}

function fromCall(error: APICallError, host: string): Failure {
  const { statusCode } = error
  if (statusCode === undefined) return unreachable(host)
  const said = saidBy(error)
  const told = said === undefined ? {} : { said }
  if (statusCode >= 200 && statusCode < 300)
    return {
      title: 'The answer was not understood',
      advice: `What ${host} sends is not what this protocol says. Look whether the address and the protocol go together.`,
      ...told,
      settings: true,
    }
  if (statusCode === 401 || statusCode === 403)
    return {
      title: `${host} refuses the key`,
      advice: 'Look at the key in the settings, and what it may be used for.',
      ...told,
      settings: true,
    }
  if (statusCode === 404)
    return {
      title: `${host} knows no such model or address`,
      advice: 'Look at both in the settings. Most addresses end in /v1.',
      ...told,
      settings: true,
    }
  if (statusCode === 429) return { title: 'Too many requests', advice: `${host} asks to wait${waitOf(error)}. Then ask again.`, ...told }
  if (statusCode >= 500)
    return { title: `${host} has failed (${statusCode})`, advice: 'This is the server’s own trouble. Ask again.', ...told }
  return {
    title: `${host} refuses the request (${statusCode})`,
    advice: 'It says why below. Where the conversation has grown too long for the model, begin a new one.',
    ...told,
    settings: true,
  }
}

/** Browsers do not tell a page whether a server is down or blocks it (CORS). */
function unreachable(host: string): Failure {
  if (typeof navigator !== 'undefined' && navigator.onLine === false)
    return { title: 'This computer is offline', advice: 'The recorded conversation needs no network.' }
  return {
    title: `${host} cannot be reached`,
    advice:
      'Nobody answers there, or the server does not let pages ask it (CORS), which a browser does not tell apart. A model on this computer has to be told: Ollama by OLLAMA_ORIGINS, LM Studio by “Enable CORS”.',
    settings: true,
  }
}

/** Whether the connection was lost after the answer had started. */
const isCut = (error: unknown): boolean =>
  error instanceof BrokenOffError ||
  error instanceof TypeError ||
  (APICallError.isInstance(error) && error.statusCode === 200 && error.cause instanceof TypeError)

const isNotUnderstood = (error: unknown): boolean =>
  [JSONParseError, TypeValidationError, InvalidResponseDataError, EmptyResponseBodyError].some((kind) => kind.isInstance(error))

/** The error message in the server's response. */
function saidBy({ responseBody, message }: APICallError): string | undefined {
  try {
    const body: unknown = JSON.parse(responseBody ?? '')
    const error: unknown = Reflect.get(Object(Array.isArray(body) ? body[0] : body), 'error')
    const text: unknown = typeof error === 'string' ? error : Reflect.get(Object(error), 'message')
    if (typeof text === 'string' && text.trim()) return text.trim()
  } catch {
    // The body is not JSON: use the message of AI SDK instead.
  }
  return message.trim() || undefined
}

function waitOf({ responseHeaders }: APICallError): string {
  const seconds = Number(responseHeaders?.['retry-after'])
  return Number.isFinite(seconds) && seconds > 0 ? ` ${Math.ceil(seconds)} seconds` : ''
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message
  const message: unknown = Reflect.get(Object(error), 'message')
  return typeof message === 'string' ? message : typeof error === 'string' ? error : (JSON.stringify(error) ?? String(error))
}

function hostOf(address: string): string {
  try {
    return new URL(address).host
  } catch {
    return 'The model'
  }
}
