import type { Host } from '../../types/host.js'
import type { ProxyRate } from './options.js'

interface Bucket {
  readonly tokens: number
  /** Host time at which the bucket had this many tokens. */
  readonly at: number
}

/**
 * Maximum number of remembered clients. Beyond it, the limiter forgets the client that was inactive for the longest time; this client then
 * has its full rate again.
 */
const MOST_CLIENTS = 10_000

/** A token bucket per client, which refills evenly. */
export class RateLimit {
  readonly #host: Pick<Host, 'now'>
  readonly #requests: number
  readonly #perMs: number
  readonly #buckets = new Map<string, Bucket>()

  constructor(host: Pick<Host, 'now'>, { requests, perMs }: ProxyRate) {
    this.#host = host
    this.#requests = requests
    this.#perMs = perMs
  }

  /** Takes one request. Returns 0, or the milliseconds until a request is available. */
  take(client: string): number {
    const now = this.#host.now()
    const bucket = this.#buckets.get(client) ?? { tokens: this.#requests, at: now }
    // Add no tokens if the clock went back.
    const filled = (Math.max(0, now - bucket.at) * this.#requests) / this.#perMs
    const tokens = Math.min(this.#requests, bucket.tokens + filled)
    const left = tokens < 1 ? tokens : tokens - 1
    this.#buckets.delete(client)
    if (this.#buckets.size >= MOST_CLIENTS) this.#buckets.delete(this.#buckets.keys().next().value as string)
    this.#buckets.set(client, { tokens: left, at: now })
    return tokens < 1 ? ((1 - tokens) * this.#perMs) / this.#requests : 0
  }
}

/**
 * Returns the network of an address: an IPv4 address unchanged, or the first 64 bits of an IPv6 address, because an IPv6 host has the whole
 * network and could use a new address for each request.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail = ''] = address.split('::')
  const before = head.split(':').filter((part) => part !== '')
  const after = tail.split(':').filter((part) => part !== '')
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
