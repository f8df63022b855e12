import { h } from './dom.js'
import { icon } from './icons.js'

type Theme = 'light' | 'dark'
const KEY = 'toolport-theme'

function stored(): Theme | undefined {
  try {
    const value = localStorage.getItem(KEY)
    return value === 'light' || value === 'dark' ? value : undefined
  } catch {
    return undefined // Storage is blocked: follow the system.
  }
}

function store(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Storage is blocked: the choice lasts only as long as the page.
  }
}

/** A button that switches between light and dark mode. Until its first use, the page follows the system. */
export function themeToggle(): HTMLElement {
  const system = matchMedia('(prefers-color-scheme: dark)')
  let chosen = stored()
  const button = h('button', { type: 'button', class: 'button icon-button on-header', on: { click: toggle } })

  function current(): Theme {
    return chosen ?? (system.matches ? 'dark' : 'light')
  }
  function show(): void {
    const theme = current()
    const other = theme === 'dark' ? 'light' : 'dark'
    document.documentElement.dataset.theme = theme
    button.setAttribute('aria-label', `Switch to ${other} colours`)
    button.title = `Switch to ${other} colours`
    button.replaceChildren(icon(theme === 'dark' ? 'sun' : 'moon'))
  }
  function toggle(): void {
    chosen = current() === 'dark' ? 'light' : 'dark'
    store(chosen)
    show()
  }
  system.addEventListener('change', show)
  show()
  return button
}
