import type { PreviewReport } from '../../types/preview.js'

/** Shows pages of a site in a frame of the embedding page. */
export interface Way {
  readonly kind: 'service-worker' | 'sandbox'
  /** URL at which the site begins, as the page sees it. */
  readonly base: string
  /** Settings of the handler for this way. */
  readonly handler: { readonly base: string; readonly client: boolean; readonly headers?: Readonly<Record<string, string>> }
  /** The frame that is in the page now. */
  readonly frame: HTMLIFrameElement
  /** Shows a page of the site, in a new frame after `stop`. `request` is that of a form; default a GET. */
  open(url: string, request?: Request): Promise<void>
  /**
   * Call before `open` shows another program: cancels the load of a page. Removes the page that is shown, if its requests could not be told
   * from those of the next page.
   */
  leave(): void
  /** Call when the page says that it unloads. */
  goes(): void
  /** Replaces the frame with a notice. */
  stop(notice: string): void
  dispose(): void
}

/** What a way tells the preview. */
export interface WayEvents {
  /** A page of the site has started: talk to its client script over this port. */
  readonly onClient: (port: MessagePort) => void
  /** The frame gets the page that was opened last. Not called by a way that removes pages in `leave`. */
  readonly onShow: () => void
  /** The frame shows something that is no page of the site. */
  readonly onLeft: () => void
  /** Called with a posted request of the page. The answer goes to `port`; a message from `port` says that nobody waits for it. */
  readonly onRequest: (request: unknown, port: MessagePort) => void
  readonly handle: (request: Request) => Promise<Response>
  readonly record: (report: PreviewReport) => void
}

/** Scripts and forms, no origin, no popups, no dialogs, no navigation of the page around it. */
const SANDBOX = 'allow-scripts allow-forms'

export function makeFrame(hasOrigin: boolean): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.title = 'Preview'
  frame.setAttribute('sandbox', hasOrigin ? `${SANDBOX} allow-same-origin` : SANDBOX)
  frame.referrerPolicy = 'no-referrer'
  // No camera, no microphone, no clipboard.
  frame.allow = ''
  frame.style.cssText = 'width:100%;height:100%;border:0;background:#fff'
  return frame
}

/** A frame with a text of ours. It needs no sandbox, which would put it into the process of the frame that hangs, and keep that alive. */
export function noticeFrame(html: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.title = 'Preview'
  frame.style.cssText = 'width:100%;height:100%;border:0'
  frame.srcdoc = html
  return frame
}
