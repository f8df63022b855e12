import { h } from '../dom.js'
import { messageOf } from '../notice.js'
import type { Session, Snapshot } from '../session.js'
import { createSplitHandle } from '../split-handle.js'
import type { Loading } from '../while-working.js'
import type { PreviewView } from './preview-view.js'

/** What the preview shows. */
export interface ShownPage {
  /** Path of the site; begins with `/`. Default the page that is shown, or `/`. */
  readonly path?: string
  /** The server of a program. Default: the app of the workspace. */
  readonly port?: number
  /** Markdown as a text, instead of its source. */
  readonly asText?: boolean
}

export interface PreviewPane {
  /** Shows a page of the workspace, and opens the pane. @throws {Error} if it cannot be shown */
  show(page?: ShownPage): Promise<void>
  /** The same, and tells a failure on the page. */
  tryToShow(page?: ShownPage): Promise<void>
  /** Another workspace is open: what is shown ends. */
  use(session: Session): void
  seen(snapshot: Snapshot): void
  dispose(): void
}

export interface PreviewPaneOptions {
  /** The pane comes at its end. */
  readonly host: HTMLElement
  readonly loading: Loading
  /** Path of the page that holds the frames of apps; default none, for a page without a content security policy. */
  readonly frameHost: string | undefined
  readonly onOpenPath: (path: string, line?: number) => void
  readonly isPath: (text: string) => boolean
  readonly relative: (path: string) => string
  readonly onOpened: (isOpen: boolean) => void
  readonly onProblem: (text: string) => void
}

/** A page as `open_preview` names it. */
function pageOf(address: string): ShownPage {
  const [, port, path = ''] = /^http:\/\/localhost:(\d+)(.*)$/s.exec(address) ?? []
  return port === undefined ? { path: address } : { path: path || '/', port: Number(port) }
}

/** The pane of the app, closed until one runs. Its code is loaded then. */
export function createPreviewPane(options: PreviewPaneOptions): PreviewPane {
  const { host, loading, onOpened, onProblem } = options
  const place = h('div', { class: 'preview-place' })
  const handle = createSplitHandle(host, 'Room above the preview', { name: 'preview-split' })
  const element = h('section', { class: 'preview-pane', 'aria-label': 'Preview', hidden: true }, handle, place)
  host.append(element)
  let session: Session | undefined
  let view: PreviewView | undefined
  let stopListening: (() => void) | undefined
  let ports: readonly number[] = []

  function close(): void {
    if (!view) return
    view.dispose()
    view = undefined
    place.replaceChildren()
    element.hidden = true
    onOpened(false)
  }

  async function show(page: ShownPage = {}): Promise<void> {
    const own = session
    if (!own) throw new Error('Cannot show the app: no workspace is open.')
    const { createPreviewView } = await loading('the preview', () => import('./preview-view.js'))
    if (own !== session) throw new Error('Cannot show the app: another workspace was opened.')
    view ??= createPreviewView({ ...options, session: own, onClose: close })
    if (view.element.parentElement !== place) place.replaceChildren(view.element)
    element.hidden = false
    onOpened(true)
    await view.show(page)
  }

  const tryToShow = (page?: ShownPage): Promise<void> => show(page).catch((error: unknown) => onProblem(messageOf(error)))

  function onServers({ servers }: Session): void {
    const started = servers.ports.find((port) => !ports.includes(port))
    ports = servers.ports
    if (started !== undefined) void tryToShow({ path: '/', port: started })
    else view?.followServers()
  }

  return {
    show,
    tryToShow,
    use(next) {
      stopListening?.()
      close()
      session = next
      ports = next.servers.ports
      stopListening = next.servers.onChange(() => onServers(next))
      next.preview.showWith((address) => show(pageOf(address)))
    },
    seen: (snapshot) => view?.seen(snapshot),
    dispose() {
      stopListening?.()
      close()
    },
  }
}
