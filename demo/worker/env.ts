/** What the bindings and variables of the Worker are (wrangler.jsonc; docs/edge.md). */
export interface Env {
  readonly WORKSPACES: DurableObjectNamespace<WorkspaceEntry>
  /** The bearer token that creating a workspace asks for. A secret. */
  readonly CREATE_TOKEN?: string
  /** `true`: whoever asks may create workspaces. For a machine of one's own. */
  readonly OPEN?: string
  /** Origins of web pages that may ask, separated by commas: `https://app.example`. Default none. */
  readonly ORIGINS?: string
  /** The platform's own rate limiting; counts creations and failed logins besides what an isolate counts by itself. */
  readonly RATE_LIMITER?: RateLimit
  /** Runs programs at the platform's speed; without it they run in QuickJS. */
  readonly LOADER?: WorkerLoader
  /** Address of a `toolport proxy` (docs/web-search.md). Default: no `web_search`. */
  readonly SEARCH_PROXY?: string
  /** `google` (the default), `serper` or `exa`. */
  readonly SEARCH_PROVIDER?: string
  /** The key of that proxy. A secret. */
  readonly SEARCH_TOKEN?: string
  /** Address of a registry of packages. Default: no `install_js_packages`. */
  readonly REGISTRY?: string
  /** The numbers of settings.ts, by their names. */
  readonly [setting: string]: unknown
}

/** What creates a workspace: called by the front, and by nobody outside. */
export interface WorkspaceEntry extends Rpc.DurableObjectBranded {
  create(start: WorkspaceStart): Promise<WorkspaceCreated>
  fetch(request: Request): Promise<Response>
}

export interface WorkspaceStart {
  /** SHA-256 of its token. The token itself is kept nowhere. */
  readonly digest: ArrayBuffer
  readonly ttlMs: number
  /** Path -> text. */
  readonly files: Readonly<Record<string, string>>
}

export type WorkspaceCreated =
  | { readonly ok: true; readonly expiresMs: number }
  /** A file that could not be written. Nothing is left of the workspace. */
  | { readonly ok: false; readonly message: string }
