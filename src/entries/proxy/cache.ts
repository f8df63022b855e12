import { utf8Length } from '../../ops/utf8.js'
import type { Host } from '../../types/host.js'
import type { ProxyCacheOptions } from './options.js'

interface Entry {
  readonly text: string
  readonly bytes: number
  /** Time of the expiry, by the host's clock. */
  readonly until: number
}

const DAY_MS = 86_400_000
const MIB = 1024 * 1024

/** A cache of texts with a time to live and limits on number and bytes. Evicts the least recently used entry first. */
export class AnswerCache {
  readonly #host: Pick<Host, 'now'>
  readonly #ttlMs: number
  readonly #mostEntries: number
  readonly #mostBytes: number
  /** Entries in the order of their last use. */
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  constructor(host: Pick<Host, 'now'>, { ttlMs = DAY_MS, entries = 1000, bytes = 16 * MIB }: ProxyCacheOptions = {}) {
    this.#host = host
    this.#ttlMs = ttlMs
    this.#mostEntries = entries
    this.#mostBytes = bytes
  }

  get(key: string): string | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    if (entry.until <= this.#host.now()) {
      this.#bytes -= entry.bytes
      return undefined
    }
    this.#entries.set(key, entry)
    return entry.text
  }

  set(key: string, text: string): void {
    this.#remove(key)
    const bytes = utf8Length(key) + utf8Length(text)
    if (bytes > this.#mostBytes || this.#mostEntries < 1) return
    while (this.#entries.size >= this.#mostEntries || this.#bytes + bytes > this.#mostBytes) {
      this.#remove(this.#entries.keys().next().value as string)
    }
    this.#entries.set(key, { text, bytes, until: this.#host.now() + this.#ttlMs })
    this.#bytes += bytes
  }

  #remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }
}
