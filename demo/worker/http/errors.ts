export interface HttpErrorOptions {
  /** What the client can change. */
  readonly hint?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** An error that the client receives as JSON. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly code: string
  readonly hint: string | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, message: string, { hint, headers = {} }: HttpErrorOptions = {}) {
    super(message)
    this.status = status
    this.code = code
    this.hint = hint
    this.headers = headers
  }
}

/** The same error for an unknown workspace and for a wrong token, so that clients cannot find out which workspaces exist. */
export const unauthorized = (): HttpError =>
  new HttpError(401, 'unauthorized', 'There is no such workspace, or this is not its token', {
    hint: 'Send "Authorization: Bearer <token>" with the token that creating the workspace gave',
    headers: { 'www-authenticate': 'Bearer' },
  })

/** `waitMs`: time until the limit has room again. */
export const tooMany = (message: string, waitMs: number): HttpError =>
  new HttpError(429, 'too_many_requests', message, { headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) } })

export const wrongMethod = (allowed: readonly string[]): HttpError =>
  new HttpError(405, 'method_not_allowed', `This address takes ${allowed.join(', ')}`, { headers: { allow: allowed.join(', ') } })

/** Converts an error to a response. Unexpected errors become a generic 500; only the operator's log contains their message. */
export function errorResponse(error: unknown): Response {
  if (!(error instanceof HttpError)) {
    console.error(error)
    return errorResponse(new HttpError(500, 'internal', 'The request failed in the server; its log says why'))
  }
  const { status, code, message, hint, headers } = error
  return Response.json({ error: { code, message, ...(hint !== undefined && { hint }) } }, { status, headers })
}
