import { h } from '../dom.js'
import { messageOf } from '../notice.js'
import type { Loading } from '../while-working.js'
import type { ProxyDialog } from './proxy-dialog.js'
import type { SearchSource } from './search-source.js'

export interface SearchButton {
  readonly element: HTMLElement
  /** `canSearch`: the preset has tools that search. */
  show(canSearch: boolean): void
}

export interface SearchButtonOptions {
  readonly source: SearchSource
  readonly loading: Loading
  readonly onUsed: () => void
  readonly onProblem: (text: string) => void
}

/** Says through which proxy is searched, and opens the dialog to give one, which loads when it is first asked for. */
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
      // Where it cannot be seen any more, the page would only be blocked by it.
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
