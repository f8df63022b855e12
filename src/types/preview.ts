/** A place in a file of the workspace. */
export interface SourcePosition {
  /** Virtual path. */
  readonly path: string
  /** Line, from 1. */
  readonly line: number
  /** Column in UTF-16 units, from 1. */
  readonly column: number
}

/** An error or warning of a build. */
export interface BuildMessage {
  readonly text: string
  /** Virtual path of the file; absent if no file is at fault. */
  readonly file?: string
  /** Line, from 1. */
  readonly line?: number
  /** Column in UTF-16 units, from 1. */
  readonly column?: number
  /** The source line. */
  readonly code?: string
}

/** A file that a build produced. */
export interface BuildOutput {
  /** Relative to the site's root: `index.html`, `assets/main.js`. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** The result of a build. A build that fails has `errors` and no outputs. */
export interface BuildResult {
  readonly ok: boolean
  readonly errors: readonly BuildMessage[]
  readonly warnings: readonly BuildMessage[]
  readonly outputs: readonly BuildOutput[]
  /** Virtual paths of the files that the build read. */
  readonly inputs: readonly string[]
}

/** The bundler port: builds an app of the workspace repeatedly. `createBundler` of `toolport/bundle` creates one. */
export interface Bundler {
  /**
   * Builds the app, reusing the parts that have not changed since the last build. If nothing changed, resolves to the last result. Errors
   * in the app are part of the result.
   *
   * `assets` adds files that need no build to the outputs: the files of the folder `public`, and those that pages refer to. Default false.
   *
   * @throws the signal's reason; {Error} if the bundler cannot start
   */
  build(options?: { readonly signal?: AbortSignal; readonly assets?: boolean }): Promise<BuildResult>
  /** Stops the bundler. A later `build` rejects. */
  dispose(): Promise<void>
}

/** Levels of console messages. */
export type ConsoleLevel = 'debug' | 'log' | 'info' | 'warn' | 'error'

/** A report of a previewed page. Its texts come from an untrusted program. */
export type PreviewReport =
  /** The page has loaded. */
  | { readonly type: 'loaded'; readonly url: string; readonly title: string }
  /** The page has changed its address without loading another page. */
  | { readonly type: 'navigated'; readonly url: string }
  | { readonly type: 'console'; readonly level: ConsoleLevel; readonly text: string; readonly position?: SourcePosition }
  /** An uncaught error or an unhandled rejection. Stacks name workspace files. */
  | {
      readonly type: 'error'
      readonly kind: 'uncaught' | 'rejection'
      readonly message: string
      readonly stack?: string
      readonly position?: SourcePosition
    }
  /** A resource failed to load. `status` is absent if there was no response. */
  | { readonly type: 'request_failed'; readonly method: string; readonly url: string; readonly status?: number; readonly reason: string }
  /** The content security policy blocked a request. */
  | { readonly type: 'blocked'; readonly url: string; readonly directive: string }
  | { readonly type: 'build_failed'; readonly errors: readonly BuildMessage[] }
  | { readonly type: 'built'; readonly warnings: readonly BuildMessage[] }
  /** Files changed. The page reloads (`page`) or replaces its stylesheets (`styles`); a page that cannot replace them reloads too. */
  | { readonly type: 'changed'; readonly update: 'page' | 'styles'; readonly paths: readonly string[] }
  /** The frame was stopped: it did not answer (`unresponsive`), sent too many messages (`flood`) or left the preview (`left`). */
  | { readonly type: 'stopped'; readonly reason: 'unresponsive' | 'flood' | 'left' }
  /** Events that the log dropped because too many came at once. */
  | { readonly type: 'dropped'; readonly count: number }

/** A report in the log of a preview. */
export type PreviewEvent = PreviewReport & {
  /** Increases by 1 with each event of the log, from 1. */
  readonly cursor: number
  /** Milliseconds since the epoch. */
  readonly time: number
}

/** Events after a cursor. */
export interface PreviewEventPage {
  readonly events: readonly PreviewEvent[]
  /** Pass this number as `after` to continue. */
  readonly next: number
  /** Number of events after the cursor that the log no longer holds. */
  readonly missed: number
  /** Whether more events follow `next`. */
  readonly more: boolean
}

/** The content that a page shows, as text. This text comes from an untrusted program. */
export interface PreviewSnapshot {
  readonly url: string
  readonly title: string
  /** Visible text; at most 20,000 characters. */
  readonly text: string
  /** Headings, links, buttons, fields and images, one per line, indented by depth; at most 20,000 characters. */
  readonly outline: string
}

/** An image of a page. */
export interface PreviewPicture {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp'
  readonly bytes: Uint8Array
}

/**
 * The preview port: shows the app of the workspace, for `open_preview` and `read_preview`. The `Preview` of `createPreview` implements it.
 * A host may wrap it, for example to show a pane on the first `open`.
 */
export interface PreviewAdapter {
  /**
   * Shows a page of the app, by a path that begins with `/`, or of an HTTP program, by an address such as `http://localhost:3000/`.
   * Resolves when the page begins to load. @throws {UnsupportedError} if the preview cannot reach HTTP programs
   */
  open(path: string): Promise<void>
  /** Checks immediately for changed files, and reloads the page if there are any. */
  refresh(): Promise<void>
  /** Returns the events after a cursor, oldest first. `after` defaults to 0, `limit` to 100. An `after` beyond the end returns none. */
  read(options?: { readonly after?: number; readonly limit?: number }): PreviewEventPage
  /** Returns what the page shows. @throws {Error} if no page is open, or the page does not answer */
  snapshot(): Promise<PreviewSnapshot>
  /** Takes a picture of the page. Absent if the host does not support this. */
  screenshot?(options?: { readonly signal?: AbortSignal }): Promise<PreviewPicture>
}
