import { h } from '../dom.js'
import { messageOf } from '../notice.js'
import type { Loading } from '../while-working.js'
import type { ProxyDialog } from './proxy-dialog.js'
import type { SearchSource } from './search-source.js'

export interface SearchButton {
  readonly element: HTMLElement
  /** `canSearch`: whether the preset has search tools. */
  show(canSearch: boolean): void
}

export interface SearchButtonOptions {
  readonly source: SearchSource
  readonly loading: Loading
  readonly onUsed: () => void
  readonly onProblem: (text: string) => void
}

/** A button that shows the current search proxy and opens the proxy dialog, which loads on first use. */
export function createSearchButton({ source, loading, onUsed, onProblem }: SearchButtonOptions): SearchButton {
  const button = h('button', {
    type: 'button',
    class: 'tool-more search-proxy',
    'aria-haspopup': 'dialog',
    on: { click: () => void open() },
  })
  const element = h('div', { class: 'search-proxy-place', hidden: true }, button)
  let dialog: ProxyDialog | undefined

  async function open(): Promise<void> {
    try {
      const { createProxyDialog } = await loading('the dialog', () => import('./proxy-dialog.js'))
      if (!dialog) {
        dialog = createProxyDialog({ source, onUsed })
        element.append(dialog.element)
      }
      // An invisible modal dialog would only block the page.
      if (!dialog.element.open && element.checkVisibility()) dialog.open()
    } catch (error) {
      onProblem(`The dialog could not be loaded: ${messageOf(error)}`)
    }
  }

  function label(): string {
    if (source.proxy) return `Searches ask ${new URL(source.proxy.address).host}`
    return source.draft ? 'Give the token of the search proxy…' : 'Give a search proxy…'
  }

  return {
    element,
    show(canSearch) {
      if (!canSearch) dialog?.element.close()
      element.hidden = !canSearch
      button.textContent = label()
    },
  }
}
