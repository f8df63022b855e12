/** The network. Nothing else in `src` reaches it. Implementations hold an origin allow-list, a size cap and a timeout. */
export interface FetchAdapter {
  readonly name: string
  fetch(request: FetchRequest): Promise<FetchResponse>
}

/** The part of `Request` that tools use; a real `Request` satisfies it. */
export interface FetchRequest {
  readonly url: string
  readonly method?: string
  readonly headers?: unknown
  readonly body?: unknown
  readonly signal?: AbortSignal | null
}

/** The part of `Response` that tools use; a real `Response` satisfies it. */
export interface FetchResponse {
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
  json(): Promise<unknown>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** A second model that a tool may ask (`oracle`). */
export interface ModelAdapter {
  complete(request: {
    readonly prompt: string
    readonly system?: string
    readonly maxTokens?: number
    readonly temperature?: number
    readonly signal?: AbortSignal
  }): Promise<string>
}

export interface MemoryQuery {
  readonly query: string
  /** The best so many; default 5. */
  readonly limit?: number
  /** Only what was remembered at this time or later, in ms. */
  readonly sinceMs?: number
  /** Only what was remembered at this time or before, in ms. */
  readonly untilMs?: number
  readonly signal?: AbortSignal
}

export interface MemoryEntry {
  /** A short name, where it has one. */
  readonly key?: string
  readonly text: string
  /** How well it fits, from 0 to 1. */
  readonly score?: number
  readonly createdMs?: number
}

/** Long-term memory that a tool may ask (`memory_recall`). */
export interface MemoryAdapter {
  /** The best first. */
  recall(request: MemoryQuery): Promise<readonly MemoryEntry[]>
}
