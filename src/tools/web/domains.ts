import { parseWebUrl } from './url.js'

/** Characters of a URL's other parts: a port, a path, a user. */
const MORE_THAN_A_NAME = /[\s/\\:@?#[\]%]/
const HOST = /^(?=.{1,253}$)[a-z0-9_-]+(\.[a-z0-9_-]+)*$/

/** Normalises a domain as in URLs: lower case, Punycode, no dot at the end. Undefined for a text other than a plain domain name. */
export function normalDomain(text: string): string | undefined {
  const host = MORE_THAN_A_NAME.test(text) ? undefined : hostOf(`https://${text}/`)
  return host !== undefined && HOST.test(host) ? host : undefined
}

export interface DomainFilter {
  readonly includeDomains: readonly string[]
  readonly excludeDomains: readonly string[]
}

/** Whether the filter accepts a URL: the host is in one of the included domains, if there are any, and in none of the excluded domains. */
export function passes(url: string, { includeDomains, excludeDomains }: DomainFilter): boolean {
  const host = hostOf(url)
  if (host === undefined) return false
  const within = (domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
  return (includeDomains.length === 0 || includeDomains.some(within)) && !excludeDomains.some(within)
}

const hostOf = (url: string): string | undefined => parseWebUrl(url)?.hostname.replace(/\.$/, '')
