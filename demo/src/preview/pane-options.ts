import type { Loading } from '../while-working.js'

/** The page to show. */
export interface ShownPage {
  /** Path of the site, starting with `/`. Default: the shown page, or `/`. */
  readonly path?: string
  /** Port of a program's server. Default: the app of the workspace. */
  readonly port?: number
  /** Render Markdown instead of showing its source. */
  readonly asText?: boolean
}

export interface PreviewPaneOptions {
  /** The pane is appended to this element. */
  readonly host: HTMLElement
  readonly loading: Loading
  /** Path of the page that hosts the frames of apps. Default: none, for a page without a content security policy. */
  readonly frameHost: string | undefined
  readonly onOpenPath: (path: string, line?: number) => void
  readonly isPath: (text: string) => boolean
  readonly relative: (path: string) => string
  readonly onOpened: (isOpen: boolean) => void
  readonly onProblem: (text: string) => void
}
