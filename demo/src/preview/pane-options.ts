import type { Loading } from '../while-working.js'

/** What the preview shows. */
export interface ShownPage {
  /** Path of the site; begins with `/`. Default the page that is shown, or `/`. */
  readonly path?: string
  /** The server of a program. Default: the app of the workspace. */
  readonly port?: number
  /** Markdown as a text, instead of its source. */
  readonly asText?: boolean
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
