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
  /** Shows a page of the site; after `stop`, in a new frame. `request` is that of a form; default a GET. */
  open(url: string, request?: Request): Promise<void>
  /**
   * Call before `open` shows another program. Cancels the load of a page. Removes the shown page if its requests would be indistinguishable
   * from those of the next page.
   */
  leave(): void
  /** Call when the page reports that it unloads. */
  goes(): void
  /** Replaces the frame with a notice. */
  stop(notice: string): void
  dispose(): void
}

/** Events of a way. */
export interface WayEvents {
  /** A page of the site has started: talk to its client script over this port. */
  readonly onClient: (port: MessagePort) => void
  /** The frame is about to show the page that was opened last. A way that removes pages in `leave` does not call it. */
  readonly onShow: () => void
  /** The frame shows something that is not a page of the site. */
  readonly onLeft: () => void
  /** Called with a posted request of the page. Send the answer to `port`. A message from `port` cancels the request. */
  readonly onRequest: (request: unknown, port: MessagePort) => void
  readonly handle: (request: Request) => Promise<Response>
  readonly record: (report: PreviewReport) => void
}

/** Allows scripts and forms. Excludes an origin, popups, dialogs, and navigation of the embedding page. */
const SANDBOX = 'allow-scripts allow-forms'

export function makeFrame(hasOrigin: boolean): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.title = 'Preview'
  frame.setAttribute('sandbox', hasOrigin ? `${SANDBOX} allow-same-origin` : SANDBOX)
  frame.referrerPolicy = 'no-referrer'
  // Denies camera, microphone and clipboard.
  frame.allow = ''
  frame.style.cssText = 'width:100%;height:100%;border:0;background:#fff'
  return frame
}

/** A frame with a message. It has no `sandbox`, which would put it into the process of the hung frame and keep that process alive. */
export function noticeFrame(html: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.title = 'Preview'
  frame.style.cssText = 'width:100%;height:100%;border:0'
  frame.srcdoc = html
  return frame
}
