import type { PreviewReport } from '../../types/preview.js'

/** A way to show pages of a site in a frame of the embedding page. */
export interface Way {
  readonly kind: 'service-worker' | 'sandbox'
  /** URL at which the site begins, as the page sees it. */
  readonly base: string
  /** Settings of the handler for this way. */
  readonly handler: { readonly base: string; readonly client: boolean; readonly headers?: Readonly<Record<string, string>> }
  /** The frame that is in the page now. */
  readonly frame: HTMLIFrameElement
  /** Shows a page of the site; after `stop`, in a new frame. `request` comes from a form; default: a GET of `url`. */
  open(url: string, request?: Request): Promise<void>
  /**
   * Call before `open` shows another HTTP program. Cancels a running load. Removes the shown page if its requests could not be
   * distinguished from those of the next page.
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
  /** Called when a page of the site has started, with the port to its client script. */
  readonly onClient: (port: MessagePort) => void
  /** Called when the frame is about to show the page that was opened last. Not called by a way that removes pages in `leave`. */
  readonly onShow: () => void
  /** Called when the frame shows something that is not a page of the site. */
  readonly onLeft: () => void
  /** Called with a posted request of the page. Send the answer to `port`. A message from `port` cancels the request. */
  readonly onRequest: (request: unknown, port: MessagePort) => void
  readonly handle: (request: Request) => Promise<Response>
  readonly record: (report: PreviewReport) => void
}

/** Permissions of the frame: scripts and forms, but no origin, popups, dialogs, or navigation of the embedding page. */
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

/**
 * Creates a frame with a message. The frame has no `sandbox`, which would put it into the process of the hung frame and keep that process
 * alive.
 */
export function noticeFrame(html: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.title = 'Preview'
  frame.style.cssText = 'width:100%;height:100%;border:0'
  frame.srcdoc = html
  return frame
}
