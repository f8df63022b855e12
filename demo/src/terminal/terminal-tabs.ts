import { h, uniqueId } from '../dom.js'

export interface TabOptions {
  readonly label: string
  readonly panel: HTMLElement
  readonly onShow: () => void
}

export interface Tab {
  select(): void
  remove(): void
}

export interface TerminalTabs {
  readonly element: HTMLElement
  /** Appends a tab without selecting it. */
  add(options: TabOptions): Tab
}

interface Entry extends Tab {
  readonly button: HTMLButtonElement
  readonly panel: HTMLElement
}

/** A dynamic tab list with the keyboard pattern of ARIA: arrows, Home, End; one tab stop. */
export function createTerminalTabs(label: string): TerminalTabs {
  const element = h('div', { role: 'tablist', class: 'terminal-tabs', 'aria-label': label, on: { keydown: move } })
  let entries: Entry[] = []

  function move(event: KeyboardEvent): void {
    const at = entries.findIndex(({ button }) => button === document.activeElement)
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1 + entries.length, Home: 0, End: entries.length - 1 }
    const step = steps[event.key]
    if (at < 0 || step === undefined) return
    event.preventDefault()
    const next = entries[step % entries.length]
    next?.select()
    next?.button.focus()
  }

  return {
    element,
    add({ label, panel, onShow }) {
      panel.id ||= uniqueId('terminal')
      const button = h(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: uniqueId('tab'),
          class: 'terminal-tab',
          'aria-controls': panel.id,
          title: label,
          on: { click: select },
        },
        label,
      )
      panel.setAttribute('role', 'tabpanel')
      panel.setAttribute('aria-labelledby', button.id)
      const entry: Entry = { button, panel, select, remove }
      entries.push(entry)
      element.append(button)
      mark(entry, false)
      return entry

      function select(): void {
        for (const one of entries) mark(one, one === entry)
        onShow()
      }
      function remove(): void {
        entries = entries.filter((one) => one !== entry)
        button.remove()
        panel.remove()
      }
    },
  }
}

function mark({ button, panel }: Entry, isShown: boolean): void {
  button.setAttribute('aria-selected', String(isShown))
  button.tabIndex = isShown ? 0 : -1
  panel.hidden = !isShown
}
