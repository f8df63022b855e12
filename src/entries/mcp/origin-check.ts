import { refuse } from './http-errors.js'

export interface SenderRules {
  readonly origins: readonly string[]
  /** Allowed host names. Default: all, but only loopback names for requests over loopback. */
  readonly hosts?: readonly string[] | undefined
}

/** How a request arrived. */
export interface McpConnection {
  /** Whether the request came over loopback, so possibly from a web page in a browser on this machine. */
  readonly loopback: boolean
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']
const LOOPBACK_NAME = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Returns the error for a request from a forbidden origin or to a forbidden host; undefined for an allowed request. */
export function refuseSender(
  request: Request,
  { origins, hosts }: SenderRules,
  connection: McpConnection | undefined,
): Response | undefined {
  const host = hostOf(request)
  const known = hosts ? hosts.includes('*') || hosts.some((name) => name.toLowerCase() === host) : !connection?.loopback || isLoopback(host)
  if (!known)
    return refuse({
      status: 403,
      code: -32000,
      message: `Cannot answer the request: the server does not accept this Host. Use ${(hosts ?? LOOPBACK_NAMES).join(' or ')}.`,
    })
  const origin = request.headers.get('origin')
  // Accept a page of the same loopback host and port. With DNS rebinding the host would not be a loopback name.
  const own = connection?.loopback && isLoopback(host) ? [`http://${request.headers.get('host')?.toLowerCase()}`] : []
  const accepted = [...origins, ...own]
  if (origin === null || accepted.includes('*') || accepted.includes(origin)) return undefined
  const pages = accepted.length === 0 ? '' : ` from ${accepted.join(' or ')}, or`
  return refuse({
    status: 403,
    code: -32000,
    message: `Cannot answer the request: the server does not accept this Origin. Send the request${pages} without an Origin.`,
  })
}

const isLoopback = (host: string): boolean => LOOPBACK_NAME.test(host)

/** Returns the host name of a request, without the port. */
function hostOf({ headers, url }: Request): string {
  const host = headers.get('host') ?? new URL(url).host
  return host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase()
}
