import { APICallError, EmptyResponseBodyError, InvalidResponseDataError, JSONParseError, TypeValidationError } from 'ai'

/** What went wrong with the model, for the user. */
export interface Failure {
  /** A few words. */
  readonly title: string
  /** What to do about it. */
  readonly advice: string
  /** What was said of it, most often by the server: it is no text of ours. */
  readonly said?: string
  /** The settings can mend it. */
  readonly settings?: boolean
}

/** Nothing came from the model for this long. */
export class StalledError extends Error {
  override readonly name = 'StalledError'
  readonly seconds: number

  constructor(seconds: number) {
    super(`Nothing came from the model for ${seconds} seconds`)
    this.seconds = seconds
  }
}

/** No answer began. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** The answer ended before its end. */
export class BrokenOffError extends Error {
  override readonly name = 'BrokenOffError'
}

/** An answer has grown over what is taken of one. */
export class TooMuchError extends Error {
  override readonly name = 'TooMuchError'
}

/** It is not the model: something of this page has failed. */
export class PageError extends Error {
  override readonly name = 'PageError'

  constructor(cause: unknown) {
    super(messageOf(cause), { cause })
  }
}

const LONGEST_SAID = 600

/** `key` is cut out of what the server said. */
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

/** A page is told no more than that: whether nobody is there or somebody who does not answer pages. */
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

/** The answer had begun, and the connection was lost. */
const isCut = (error: unknown): boolean =>
  error instanceof BrokenOffError ||
  error instanceof TypeError ||
  (APICallError.isInstance(error) && error.statusCode === 200 && error.cause instanceof TypeError)

const isNotUnderstood = (error: unknown): boolean =>
  [JSONParseError, TypeValidationError, InvalidResponseDataError, EmptyResponseBodyError].some((kind) => kind.isInstance(error))

/** What the server says of itself. */
function saidBy({ responseBody, message }: APICallError): string | undefined {
  try {
    const body: unknown = JSON.parse(responseBody ?? '')
    const error: unknown = Reflect.get(Object(Array.isArray(body) ? body[0] : body), 'error')
    const text: unknown = typeof error === 'string' ? error : Reflect.get(Object(error), 'message')
    if (typeof text === 'string' && text.trim()) return text.trim()
  } catch {
    // It is no JSON: the message of the protocol stands for it.
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
