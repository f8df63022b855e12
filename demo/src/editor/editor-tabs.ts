import { h, uniqueId } from '../dom.js'
import { icon } from '../icons.js'
import { visibleNameText } from '../visible.js'

/** The data of one tab. */
export interface EditorTab {
  /** Relative to the root. */
  readonly path: string
  readonly isDirty: boolean
  /** Whether the file was changed elsewhere or deleted. */
  readonly hasTrouble: boolean
}

export interface EditorTabs {
  readonly element: HTMLElement
  show(tabs: readonly EditorTab[], active: string | undefined): void
  /** Focuses the selected tab. */
  focus(): void
}

export interface EditorTabsOptions {
  /** Id of the tab panel. */
  readonly panel: string
  readonly onSelect: (path: string) => void
  readonly onClose: (path: string) => void
}

/** The tabs of the open files, with the keyboard pattern of ARIA: arrows, Home, End; Delete closes. One tab stop. */
export function createEditorTabs({ panel, onSelect, onClose }: EditorTabsOptions): EditorTabs {
  const element = h('div', { role: 'tablist', class: 'editor-tabs', 'aria-label': 'Open files', on: { keydown: onKey } })
  let paths: readonly string[] = []

  const buttonOf = (path: string | undefined): HTMLElement | undefined =>
    [...element.children].find((child): child is HTMLElement => child instanceof HTMLElement && child.dataset.path === path)

  function onKey(event: KeyboardEvent): void {
    const at = paths.indexOf((document.activeElement as HTMLElement | null)?.dataset.path ?? '')
    if (at < 0) return
    const path = paths[at] ?? ''
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1 + paths.length, Home: 0, End: paths.length - 1 }
    const step = steps[event.key]
    if (event.key === 'Delete') onClose(path)
    else if (event.key === 'Enter' || event.key === ' ') onSelect(path)
    else if (step !== undefined) {
      onSelect(paths[step % paths.length] ?? path)
      focus()
    } else return
    event.preventDefault()
  }

  function draw({ path, isDirty, hasTrouble }: EditorTab, active: string | undefined): HTMLElement {
    const name = visibleNameText(path.slice(path.lastIndexOf('/') + 1))
    const states = [isDirty && 'not saved', hasTrouble && 'changed underneath'].filter(Boolean)
    return h(
      'div',
      {
        role: 'tab',
        id: uniqueId('file'),
        class: `editor-tab ${isDirty ? 'is-dirty' : ''} ${hasTrouble ? 'has-trouble' : ''}`,
        'data-path': path,
        title: visibleNameText(path),
        tabindex: path === active ? 0 : -1,
        'aria-selected': String(path === active),
        'aria-controls': panel,
        'aria-keyshortcuts': 'Delete',
        'aria-label': [name, ...states].join(', '),
        on: {
          click: (event) => {
            const isClose = event.target instanceof Element && event.target.closest('.editor-tab-close')
            if (isClose) onClose(path)
            else onSelect(path)
          },
          // The middle button closes a tab, as in browsers.
          auxclick: (event) => event.button === 1 && onClose(path),
        },
      },
      h('span', { class: 'editor-tab-name' }, name),
      h('span', { class: 'editor-tab-close', 'aria-hidden': 'true', title: 'Close (Delete)' }, icon('cross')),
    )
  }

  function focus(): void {
    element.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
  }

  /** Scrolls without `scrollIntoView`, because in Chromium that moves the starting point of the next Tab key. */
  function bringIntoView(tab: HTMLElement | null | undefined): void {
    if (!tab) return
    const { left, right } = tab.getBoundingClientRect()
    const list = element.getBoundingClientRect()
    element.scrollLeft += Math.min(left - list.left, 0) || Math.max(right - list.right, 0)
  }

  return {
    element,
    focus,
    show(tabs, active) {
      const hadFocus = element.contains(document.activeElement)
      paths = tabs.map(({ path }) => path)
      element.replaceChildren(...tabs.map((tab) => draw(tab, active)))
      element.hidden = tabs.length === 0
      bringIntoView(buttonOf(active))
      if (hadFocus) focus()
    },
  }
}
