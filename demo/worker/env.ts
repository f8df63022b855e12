/** Bindings and variables of the Worker (wrangler.jsonc; docs/edge.md). */
export interface Env {
  readonly WORKSPACES: DurableObjectNamespace<WorkspaceEntry>
  /** Bearer token required to create a workspace. A secret. */
  readonly CREATE_TOKEN?: string
  /** `true`: anyone may create workspaces. For local development only. */
  readonly OPEN?: string
  /** Web origins that CORS allows, separated by commas: `https://app.example`. Default: none. */
  readonly ORIGINS?: string
  /** Cloudflare's rate limiting binding. It limits creations and failed logins across isolates, in addition to the per-isolate counters. */
  readonly RATE_LIMITER?: RateLimit
  /** Runs programs in dynamically loaded Workers at native speed. Without this binding, programs run in QuickJS. */
  readonly LOADER?: WorkerLoader
  /** Address of a `toolport proxy` (docs/web-search.md). Default: no `web_search`. */
  readonly SEARCH_PROXY?: string
  /** `google` (the default), `serper` or `exa`. */
  readonly SEARCH_PROVIDER?: string
  /** API key for that proxy. A secret. */
  readonly SEARCH_TOKEN?: string
  /** Base URL of a package registry. Default: no `install_js_packages`. */
  readonly REGISTRY?: string
  /** The numeric settings of settings.ts, by name. */
  readonly [setting: string]: unknown
}

/** The Durable Object of one workspace. Only the Worker can call `create` and `isRight`. */
export interface WorkspaceEntry extends Rpc.DurableObjectBranded {
  create(start: WorkspaceStart): Promise<WorkspaceCreated>
  /** Whether a request with this credential is authorized. */
  isRight(credential: Credential): Promise<boolean>
  fetch(request: Request): Promise<Response>
}

/** The key of the preview if the address has one, otherwise the token. */
export interface Credential {
  readonly token?: string
  readonly previewKey?: string
}

export interface WorkspaceStart {
  /** SHA-256 of the workspace token. The server never stores the token itself. */
  readonly digest: ArrayBuffer
  readonly ttlMs: number
  /** Path -> text. */
  readonly files: Readonly<Record<string, string>>
}

export type WorkspaceCreated =
  | { readonly ok: true; readonly expiresMs: number }
  /** A file could not be written; the workspace was deleted again. */
  | { readonly ok: false; readonly message: string }
