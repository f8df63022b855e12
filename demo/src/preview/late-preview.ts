import type { PreviewAdapter } from 'toolport'
import type { Preview, PreviewEventPage } from 'toolport/preview'

/** The preview of one workspace, created when the page first shows an app. */
export interface LatePreview extends PreviewAdapter {
  /** Sets the function that shows a page. */
  showWith(show: (path: string) => Promise<unknown>): void
  /** Call when the page has created another preview. */
  follow(preview: Preview): void
}

const NOTHING: PreviewEventPage = { events: [], next: 0, missed: 0, more: false }

export function latePreview(): LatePreview {
  let show: (path: string) => Promise<unknown> = async () => {
    throw new Error('Cannot show the app: this page has no preview.')
  }
  let shown: Preview | undefined
  /** Number of events that earlier previews have logged. Added to new cursors, so that old cursors stay valid. */
  let before = 0

  const read = ({ after = 0, limit }: { readonly after?: number; readonly limit?: number } = {}): PreviewEventPage => {
    if (!shown) return NOTHING
    const page = shown.read({ after: Math.max(0, after - before), ...(limit !== undefined && { limit }) })
    const events = page.events.map((event) => ({ ...event, cursor: event.cursor + before }))
    return { ...page, events, next: page.next + before }
  }

  return {
    read,
    open: async (path) => void (await show(path)),
    refresh: async () => shown?.refresh(),
    async snapshot() {
      if (!shown) throw new Error('Cannot read the page: no page is open. Open one with open_preview.')
      return shown.snapshot()
    },
    showWith(next) {
      show = next
    },
    follow(preview) {
      if (preview === shown) return
      before = read({ after: Number.MAX_SAFE_INTEGER, limit: 1 }).next
      shown = preview
    },
  }
}
