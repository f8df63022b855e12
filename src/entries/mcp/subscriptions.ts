import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import { FsError } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'
import { RequestError } from './request-error.js'

/** Maximum number of subscriptions per client. */
const MOST = 1000

interface Subscription {
  readonly path: string
  /** Whether the first version has not been read yet. */
  opening: boolean
  /** Undefined while the file is unreadable. */
  version: string | undefined
}

export const POLL_MS = 3000
/** Milliseconds to wait before a check that session output triggers. */
const SOON_MS = 100

/** The files that a client has subscribed to. Checks their versions regularly while there are subscriptions. */
export class Subscriptions {
  readonly #workspace: Workspace
  readonly #changed: (uri: string) => void
  readonly #all = new Map<string, Subscription>()
  readonly #pollMs: number
  #checking = false
  #again = false
  #polling: AbortController | undefined
  #isDue = false

  constructor(workspace: Workspace, changed: (uri: string) => void, pollMs: number = POLL_MS) {
    this.#workspace = workspace
    this.#changed = changed
    this.#pollMs = pollMs
  }

  /** Subscribes to a file. Rejects for a missing or forbidden file, like reading it would. */
  async add(uri: string, path: string): Promise<void> {
    const known = this.#all.get(uri)
    // Keep the known version. A newly read one would hide a change that the next check would find.
    if (known && !known.opening) return void (await this.#version(path))
    if (!known && this.#all.size >= MOST) {
      throw new RequestError(ErrorCode.InvalidParams, `Cannot subscribe to "${uri}": ${MOST} files are the most; unsubscribe from others`)
    }
    // Register the subscription before the read, so that an unsubscribe during the read can remove it.
    const subscription: Subscription = { path, opening: true, version: undefined }
    this.#all.set(uri, subscription)
    try {
      subscription.version = await this.#version(path)
      subscription.opening = false
      void this.#poll()
    } catch (error) {
      if (this.#all.get(uri) === subscription) this.#all.delete(uri)
      throw error
    }
  }

  delete(uri: string): void {
    this.#all.delete(uri)
    if (this.#all.size === 0) this.clear()
  }

  clear(): void {
    this.#all.clear()
    this.#polling?.abort()
    this.#polling = undefined
  }

  /** Checks once after a short delay, for events that may be frequent. */
  async checkSoon(): Promise<void> {
    if (this.#isDue || this.#all.size === 0) return
    this.#isDue = true
    await this.#sleep(SOON_MS)
    this.#isDue = false
    await this.check()
  }

  /** Sends notifications for changed files. A call during a running check triggers another check. */
  async check(): Promise<void> {
    this.#again = true
    if (this.#checking) return
    this.#checking = true
    while (this.#again) {
      this.#again = false
      for (const [uri, subscription] of [...this.#all]) await this.#compare(uri, subscription)
    }
    this.#checking = false
  }

  /** Polls until there are no subscriptions. */
  async #poll(): Promise<void> {
    if (this.#polling || this.#all.size === 0) return
    this.#polling = new AbortController()
    const { signal } = this.#polling
    while (!signal.aborted) {
      await this.#sleep(this.#pollMs, signal)
      if (!signal.aborted) await this.check()
    }
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#workspace.host.sleep(ms, signal, { background: true })
  }

  async #compare(uri: string, subscription: Subscription): Promise<void> {
    if (subscription.opening) return
    const version = await this.#version(subscription.path).catch(() => undefined)
    if (version === subscription.version || this.#all.get(uri) !== subscription) return
    subscription.version = version
    this.#changed(uri)
  }

  /** Returns the version of a file, without reading the file. The path rules for reading apply. */
  async #version(path: string): Promise<string> {
    const { kind, version, size, mtimeMs } = await this.#workspace.stat(path, 'read')
    if (kind === 'dir') throw new FsError({ code: 'EISDIR', op: 'read', path })
    return version ?? `${size}-${mtimeMs}`
  }
}
