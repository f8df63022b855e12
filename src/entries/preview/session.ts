import { required } from '../../errors/required.js'
import { decodeUtf8 } from '../../ops/utf8.js'
import type { BuildResult, Bundler, PreviewEvent, PreviewEventPage, PreviewReport } from '../../types/preview.js'
import { joinPath, relativePath } from '../../workspace/paths.js'
import { createEventLog, type EventLogOptions } from './event-log.js'
import { createSessionHandler, type PreviewHandlerOptions, type SessionHandlerOptions, versionOf } from './handler.js'
import { createPositions } from './positions.js'
import type { ClientCommand } from './protocol.js'
import { readReport } from './read-report.js'

/** Options that all previews share. Only `workspace` is required. */
export interface PreviewOptions extends Omit<PreviewHandlerOptions, 'client' | 'onServe' | 'onBuild' | 'base' | 'sandbox'> {
  /** Builds the app. The preview serves the outputs and reports the errors. Default: none. Pages then load the source files. */
  readonly bundler?: Bundler
  /**
   * Milliseconds between checks for changed files while a page is open; default 250. With 0, only `refresh()` checks. A check compares the
   * versions of the files that were served.
   */
  readonly pollMs?: number
  /** Limits of the event log. */
  readonly events?: Omit<EventLogOptions, 'host'>
}

/** The part of a preview that is the same for every transport. */
export interface PreviewSession {
  readonly handle: (request: Request) => Promise<Response>
  /**
   * Handles a report of the page, which may be hostile. Calls `isNews` after the source positions of the report are known; if `isNews`
   * returns false, the report is dropped.
   */
  report(value: unknown, isNews?: (report: PreviewReport) => boolean): void
  /** Resolves when all messages so far are in the log. */
  settled(): Promise<unknown>
  record(report: PreviewReport): void
  read(options?: { readonly after?: number; readonly limit?: number }): PreviewEventPage
  onEvent(listener: (event: PreviewEvent) => void): () => void
  /** Adds an open page. Returns a function that removes it. */
  open(send: (command: ClientCommand) => void): () => void
  refresh(): Promise<void>
  dispose(): void
}

interface SessionPlace {
  /** URL of the site's root. */
  readonly url: string
  readonly handler?: Pick<SessionHandlerOptions, 'client' | 'base' | 'sandbox' | 'mostBytes'>
  /** Whether an HTTP program is shown, whose pages do not depend on workspace files. Default false. */
  readonly isProgram?: () => boolean
}

const DEFAULT_POLL_MS = 250
/** Maximum number of reports that wait for source maps. Further reports are dropped. */
const MOST_WAITING = 500
/** Maximum number of watched files. The most recently requested ones are watched. */
const MOST_WATCHED = 2000

export function createSession(call: string, options: PreviewOptions, place: SessionPlace): PreviewSession {
  required(call, 'the option "workspace", a Workspace', options?.workspace, 'readBytes')
  const { workspace, bundler, pollMs = DEFAULT_POLL_MS } = options
  if (!(pollMs >= 0)) throw new TypeError(`${call}: "pollMs" must be a number of milliseconds, or 0`)
  const log = createEventLog({ ...options.events, host: workspace.host })
  /** The build that each open page has loaded, by the function that sends commands to the page. */
  const pages = new Map<(command: ClientCommand) => void, BuildResult | undefined>()
  const served = new Map<string, string | undefined>()
  const ending = new AbortController()
  let last: BuildResult | undefined
  /** The build of the most recently served page. */
  let shown: BuildResult | undefined

  const handle = createSessionHandler({
    ...options,
    ...place.handler,
    onServe: watch,
    onBuild: tellBuild,
    onPage: (build) => {
      shown = build
    },
    onTooLarge: ({ method, url }, { message: reason }) => log.push({ type: 'request_failed', method, url, status: 413, reason }),
  })
  const folder = workspace.resolve(options.root ?? workspace.root)
  const positions = createPositions({
    base: () => (place.isProgram?.() ? undefined : place.url),
    virtual: (path) => joinPath(folder, path),
    async read(path) {
      const response = await handle(new Request(new URL(path, place.url)))
      return response.ok ? decodeUtf8(new Uint8Array(await response.arrayBuffer())) : undefined
    },
  })

  function watch(path: string, version: string | undefined): void {
    served.delete(path)
    served.set(path, version)
    const [oldest] = served.keys()
    if (served.size > MOST_WATCHED && oldest !== undefined) served.delete(oldest)
  }

  function tellBuild(result: BuildResult): void {
    if (result === last) return
    last = result
    positions.clear()
    log.push(result.ok ? { type: 'built', warnings: result.warnings } : { type: 'build_failed', errors: result.errors })
  }

  /** Returns the URL path of a file, relative to the site. */
  function sitePath(path: string): string {
    const { publicFolder = 'public' } = options
    const relative = relativePath(path, folder)
    return relative.startsWith(`${publicFolder}/`) ? relative.slice(publicFolder.length + 1) : relative
  }

  /** Returns the URL paths of files that have changed since they were served. */
  async function changedFiles(): Promise<readonly string[]> {
    const changed: string[] = []
    for (const [path, version] of [...served]) {
      const now = await workspace.stat(path, 'show').then(
        (stat) => (stat.kind === 'file' ? versionOf(stat) : undefined),
        () => undefined,
      )
      if (now === version || served.get(path) !== version) continue
      served.set(path, now)
      changed.push(path)
    }
    return changed
  }

  async function check(): Promise<void> {
    if (place.isProgram?.()) return
    const files = await changedFiles()
    const build = await bundler?.build()
    if (build) tellBuild(build)
    const changed = new Set(files)
    let isPage = false
    // Compare with the build of each page, because a later request may have triggered a newer build.
    for (const [send, before] of [...pages]) {
      pages.set(send, build)
      if (build?.ok === false) {
        if (build !== before) send({ type: 'errors', errors: build.errors })
        continue
      }
      const outputs = build && before !== build ? differing(before, build) : []
      const isMended = before?.ok === false
      const paths = [...files, ...outputs]
      if (paths.length === 0 && !isMended) continue
      for (const path of outputs) changed.add(path)
      const isStyles = !isMended && paths.every((path) => path.endsWith('.css'))
      isPage ||= !isStyles
      send(isStyles ? { type: 'styles', paths: [...files.map(sitePath), ...outputs] } : { type: 'reload' })
    }
    if (build?.ok === false || (changed.size === 0 && !isPage)) return
    positions.clear()
    const isOnlyStyles = !isPage && [...changed].every((path) => path.endsWith('.css'))
    log.push({ type: 'changed', update: isOnlyStyles ? 'styles' : 'page', paths: [...changed].slice(0, 100) })
  }

  let checking: Promise<void> | undefined
  let again = false
  /** Checks for changes. A call during a running check requests one more check after it, and waits for both. */
  async function refresh(): Promise<void> {
    if (checking) {
      again = true
      return checking
    }
    checking = (async () => {
      do {
        again = false
        await check()
      } while (again)
    })().finally(() => {
      checking = undefined
    })
    return checking
  }

  let isPolling = false
  async function poll(): Promise<void> {
    if (isPolling || pollMs === 0) return
    isPolling = true
    while (pages.size > 0 && !ending.signal.aborted) {
      await workspace.host.sleep(pollMs, ending.signal, { background: true })
      // Ignore a failed check, because the next check tries again.
      if (!ending.signal.aborted && pages.size > 0) await refresh().catch(() => {})
    }
    isPolling = false
  }

  let waiting = 0
  let order: Promise<unknown> = Promise.resolve()
  return {
    handle,
    report(value, isNews = () => true) {
      if (waiting >= MOST_WAITING) return log.push({ type: 'dropped', count: 1 })
      waiting++
      order = order
        .then(async () => {
          const report = await readReport(value, positions)
          if (report && isNews(report)) log.push(report)
        })
        .catch(() => {})
        .finally(() => waiting--)
    },
    settled: () => order,
    record: (report) => log.push(report),
    read: (range) => log.read(range),
    onEvent: (listener) => log.onEvent(listener),
    open(page) {
      // A script that the page requested may have triggered a newer build.
      pages.set(page, shown)
      void poll()
      return () => void pages.delete(page)
    },
    refresh,
    dispose() {
      ending.abort()
      pages.clear()
    },
  }
}

function differing(before: BuildResult | undefined, after: BuildResult): readonly string[] {
  const old = new Map(before?.outputs.map(({ path, bytes }) => [path, bytes]))
  const changed = after.outputs.filter(({ path, bytes }) => {
    const known = old.get(path)
    old.delete(path)
    return known !== bytes && (known?.length !== bytes.length || known.some((byte, index) => byte !== bytes[index]))
  })
  // Omit source maps, because they change with their outputs.
  return [...changed.map(({ path }) => path), ...old.keys()].filter((path) => !path.endsWith('.map'))
}
