import { refuse } from './http-errors.js'

export interface SenderRules {
  readonly origins: readonly string[]
  /** Default any; only names of loopback for what has come over it. */
  readonly hosts?: readonly string[] | undefined
}

/** How a request came. */
export interface McpConnection {
  /** Over the loopback interface: from this machine, which may have been a page in its browser. */
  readonly loopback: boolean
}

const LOOPBACK_NAME = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** The refusal of a request that its page, or the name it was sent to, must not make; undefined for all others. */
export function refuseSender(
  request: Request,
  { origins, hosts }: SenderRules,
  connection: McpConnection | undefined,
): Response | undefined {
  const host = hostOf(request)
  const known = hosts ? hosts.includes('*') || hosts.some((name) => name.toLowerCase() === host) : !connection?.loopback || isLoopback(host)
  if (!known) return refuse({ status: 403, code: -32000, message: 'There is no such host here: whoever runs it has to name it in "hosts"' })
  const origin = request.headers.get('origin')
  if (origin === null || origins.includes('*') || origins.includes(origin)) return undefined
  // A page that this machine serves under the same name and port. A rebound name is not a name of loopback.
  if (connection?.loopback && isLoopback(host) && origin === `http://${request.headers.get('host')?.toLowerCase()}`) return undefined
  return refuse({ status: 403, code: -32000, message: 'This origin may not ask: the host has to name it in "origins"' })
}

const isLoopback = (host: string): boolean => LOOPBACK_NAME.test(host)

/** The name alone: a port says nothing about who asks. */
function hostOf({ headers, url }: Request): string {
  const host = headers.get('host') ?? new URL(url).host
  return host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase()
}
