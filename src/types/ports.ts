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

/** Long-term memory that a tool may ask (`memory_recall`). */
export interface MemoryAdapter {
  recall(request: {
    readonly query: string
    readonly limit?: number
    readonly signal?: AbortSignal
  }): Promise<readonly { readonly text: string; readonly score?: number; readonly createdMs?: number }[]>
}
