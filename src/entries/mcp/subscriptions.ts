import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import { FsError } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'
import { RequestError } from './request-error.js'

/** Of one client. */
const MOST = 1000

interface Subscription {
  readonly path: string
  /** Nothing to compare with yet. */
  opening: boolean
  /** Undefined while it cannot be read. */
  version: string | undefined
}

export const POLL_MS = 3000
/** Between two looks that output of sessions gives rise to. */
const SOON_MS = 100

/** The files that a client wants to hear of. Nothing watches them: their versions are compared, now and then while there are any. */
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

  /** Rejects, as reading would, for a file that is not there or may not be read. */
  async add(uri: string, path: string): Promise<void> {
    if (!this.#all.has(uri) && this.#all.size >= MOST) {
      throw new RequestError(ErrorCode.InvalidParams, `Cannot subscribe to "${uri}": ${MOST} files are the most; unsubscribe from others`)
    }
    // Before the read: it keeps its place, and who unsubscribes meanwhile takes it away.
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

  /** Looks after a while: for what tells often that something may have changed. */
  async checkSoon(): Promise<void> {
    if (this.#isDue || this.#all.size === 0) return
    this.#isDue = true
    await this.#sleep(SOON_MS)
    this.#isDue = false
    await this.check()
  }

  /** Tells of what has changed since the last time. Asked for while it runs, it runs once more. */
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

  /** Until nobody is subscribed. */
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

  /** Without a read, by the rules that reading asks. */
  async #version(path: string): Promise<string> {
    const { kind, version, size, mtimeMs } = await this.#workspace.stat(path, 'read')
    if (kind === 'dir') throw new FsError({ code: 'EISDIR', op: 'read', path })
    return version ?? `${size}-${mtimeMs}`
  }
}
