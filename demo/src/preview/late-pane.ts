import { h } from '../dom.js'
import { messageOf } from '../notice.js'
import type { Session, Snapshot } from '../session.js'
import { createSplitHandle } from '../split-handle.js'
import type { PreviewPaneOptions, ShownPage } from './pane-options.js'
import type { PreviewView } from './preview-view.js'

export interface PreviewPane {
  /** Opens the pane and shows a page of the workspace. @throws {Error} if the page cannot be shown */
  show(page?: ShownPage): Promise<void>
  /** Like `show`, but reports failures on the page. */
  tryToShow(page?: ShownPage): Promise<void>
  /** Call when another workspace is opened: closes the preview. */
  use(session: Session): void
  seen(snapshot: Snapshot): void
  dispose(): void
}

/** Parses an address of `open_preview`. */
function pageOf(address: string): ShownPage {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url?.port || !['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)) return { path: address }
  return { path: url.pathname + url.search + url.hash, port: Number(url.port) }
}

/** Width of the column, in CSS pixels, from which the app is beside the file. */
const BESIDE_WIDTH = 900

/** The pane of the app, below or beside the file. Closed until an app runs; its code loads then. */
export function createPreviewPane(options: PreviewPaneOptions): PreviewPane {
  const { host, loading, onOpened, onProblem } = options
  const place = h('div', { class: 'preview-place' })
  const above = createSplitHandle(host, 'Room above the preview', { name: 'preview-split' })
  const beside = createSplitHandle(host, 'Room beside the preview', { name: 'preview-beside', vertical: true })
  const element = h('section', { class: 'preview-pane', 'aria-label': 'Preview', hidden: true }, above, beside, place)
  host.append(element)
  const resized = new ResizeObserver(() => host.classList.toggle('is-beside', host.offsetWidth >= BESIDE_WIDTH))
  // The app beside the file changes the padding of the host, and so its content box.
  resized.observe(host, { box: 'border-box' })
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
      resized.disconnect()
      stopListening?.()
      close()
    },
  }
}
