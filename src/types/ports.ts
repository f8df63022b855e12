/** The network port: the only network access of tools. Implementations enforce allowed origins, a size limit and a timeout. */
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

/** The model port: a second model for tools (`oracle`). */
export interface ModelAdapter {
  complete(request: {
    readonly prompt: string
    readonly system?: string
    readonly maxTokens?: number
    readonly temperature?: number
    readonly signal?: AbortSignal
  }): Promise<string>
}

/** A search in long-term memory. */
export interface MemoryQuery {
  readonly query: string
  /** Maximum number of entries; default 5. */
  readonly limit?: number
  /** Only entries created at this time or later, in milliseconds since the epoch. */
  readonly sinceMs?: number
  /** Only entries created at this time or earlier, in milliseconds since the epoch. */
  readonly untilMs?: number
  readonly signal?: AbortSignal
}

/** An entry of long-term memory. */
export interface MemoryEntry {
  /** A short name, if the entry has one. */
  readonly key?: string
  readonly text: string
  /** Relevance, from 0 to 1. */
  readonly score?: number
  readonly createdMs?: number
}

/** The memory port: long-term memory for tools (`memory_recall`). */
export interface MemoryAdapter {
  /** Returns matching entries, best first. */
  recall(request: MemoryQuery): Promise<readonly MemoryEntry[]>
}
