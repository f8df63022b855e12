import { formatBytes, formatCount } from '../format.js'
import { MEMORY_LIMITS } from '../homes/homes.js'
import type { CloneWish } from './clone-wish.js'

/** Maximum size of a server's response, bytes. The whole response is held in memory. */
export const MAX_ANSWER = 64 * 1024 * 1024

interface Failure extends Error {
  readonly code?: string
  readonly httpStatus?: number
}

/** Describes a failed clone for the user. `reached`: every request got a response. */
export function cloneFailure(cause: unknown, wish: CloneWish, reached: boolean): Error {
  const error = (cause instanceof Error ? cause : new Error(String(cause))) as Failure
  return new Error(`Nothing was cloned. ${reached ? wordsOf(error, wish) : unreachable(wish)}`, { cause })
}

/** Browsers do not tell a page whether a server is down or blocks the request (CORS), so the message names both. */
function unreachable({ url, proxy }: CloneWish): string {
  if (!navigator.onLine && !isHere(proxy ?? url)) return 'This browser is offline.'
  const asked = new URL(proxy ?? url).host
  if (proxy !== undefined) return `The proxy ${asked} could not be reached, or does not let pages ask it (CORS).`
  return `${asked} could not be reached, or does not let pages of other sites ask it (CORS), as most git servers do not. A CORS proxy helps with that.`
}

const isHere = (address: string): boolean => /^https?:\/\/(?:localhost|127\.0\.0\.1)(?:[:/]|$)/.test(address)

function wordsOf({ name, code, httpStatus, message }: Failure, { label, ref, proxy }: CloneWish): string {
  const through = proxy === undefined ? '' : ` The proxy may have said so, and not the server.`
  if (httpStatus === 401) {
    return `The server asks for a name and a password, and this page sends none: ${label} is private, or is not there (many servers tell no difference). Of a private one, import a folder or an archive.`
  }
  if (httpStatus === 403) return `The server forbids it (status 403).${through}`
  if (httpStatus === 404) return `There is no repository at ${label}, or it is private (status 404).${through}`
  if (httpStatus !== undefined) return `The server answered with status ${httpStatus}. It may work later.${through}`
  if (code === 'too_large')
    return `An answer is larger than ${formatBytes(MAX_ANSWER)}, the most that this page takes: ask for fewer commits.`
  if (code === 'ENOSPC' || code === 'EFBIG') {
    const { maxBytes, maxFiles } = MEMORY_LIMITS
    return `It does not fit: a workspace holds ${formatBytes(maxBytes)} and ${formatCount(maxFiles)} files, and a browser may have less room. (${message})`
  }
  if (name === 'InputError' && ref !== undefined && message.includes('no branch or tag')) return `${label} has no branch or tag “${ref}”.`
  const why = message.replace(/^Cannot (?:clone|fetch):? ?/, '')
  return why.charAt(0).toUpperCase() + why.slice(1)
}
