import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { Workspace } from '../../types/workspace.js'

/** Of one client. */
const MOST = 1000

interface Subscription {
  readonly path: string
  /** Nothing to compare with yet. */
  opening: boolean
  /** Undefined while it cannot be read. */
  version: string | undefined
}

/** The files that a client wants to hear of. Nothing watches them: `check` compares their versions. */
export class Subscriptions {
  readonly #workspace: Workspace
  readonly #changed: (uri: string) => void
  readonly #all = new Map<string, Subscription>()
  #checking = false
  #again = false

  constructor(workspace: Workspace, changed: (uri: string) => void) {
    this.#workspace = workspace
    this.#changed = changed
  }

  /** Rejects, as reading would, for a file that is not there or may not be read. */
  async add(uri: string, path: string): Promise<void> {
    if (!this.#all.has(uri) && this.#all.size >= MOST) {
      throw new McpError(ErrorCode.InvalidParams, `Cannot subscribe to "${uri}": ${MOST} files are the most; unsubscribe from others`)
    }
    // Before the read: it keeps its place, and who unsubscribes meanwhile takes it away.
    const subscription: Subscription = { path, opening: true, version: undefined }
    this.#all.set(uri, subscription)
    try {
      subscription.version = await this.#read(path)
      subscription.opening = false
    } catch (error) {
      if (this.#all.get(uri) === subscription) this.#all.delete(uri)
      throw error
    }
  }

  delete(uri: string): void {
    this.#all.delete(uri)
  }

  clear(): void {
    this.#all.clear()
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

  async #compare(uri: string, subscription: Subscription): Promise<void> {
    if (subscription.opening) return
    const version = await this.#read(subscription.path).catch(() => undefined)
    if (version === subscription.version || this.#all.get(uri) !== subscription) return
    subscription.version = version
    this.#changed(uri)
  }

  /** A read, of nothing: it asks the rules that reading asks. */
  async #read(path: string): Promise<string> {
    return (await this.#workspace.readBytes(path, { offset: 0, length: 0 })).version
  }
}
