import '@xterm/xterm/css/xterm.css'
import { FitAddon } from '@xterm/addon-fit'
import { type ITheme, Terminal } from '@xterm/xterm'
import { SETTLE } from './sequences.js'
import { createTouchKeys } from './touch-keys.js'

const FONT_SIZE = 12.5
const SCROLLBACK = 5000
/** Minimum contrast (WCAG AA). The terminal adjusts a program's colours to reach it. */
const CONTRAST = 4.5

export interface Screen {
  readonly terminal: Terminal
  /** Registers the handler of all input, including the on-screen keys. */
  onData(take: (data: string) => void): void
  dispose(): void
}

/**
 * A terminal in `host` that takes size and colours from `host` and leaves the page's shortcuts to the page. Tab goes to the page unless
 * `takesTab()` is true, and always after Escape, so that keyboard users can leave.
 */
export function createScreen(host: HTMLElement, takesTab: () => boolean = () => false): Screen {
  const terminal = new Terminal({
    convertEol: true,
    cursorInactiveStyle: 'outline',
    fontFamily: getComputedStyle(host).fontFamily,
    fontSize: FONT_SIZE,
    lineHeight: 1.3,
    // Links in output are disabled: the page opens no external sites.
    linkHandler: { activate: () => undefined },
    minimumContrastRatio: CONTRAST,
    screenReaderMode: true,
    scrollback: SCROLLBACK,
    theme: readTheme(host),
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.open(host)
  fit.fit()
  const tabBelongsToPage = tabRule(takesTab)
  terminal.attachCustomKeyEventHandler((event) => !tabBelongsToPage(event) && !belongsToPage(event, terminal.hasSelection()))
  takeTextWithoutKeys(terminal)
  const keys = createTouchKeys(terminal)
  host.before(keys.element)
  terminal.write(SETTLE)

  const resized = new ResizeObserver(() => host.clientHeight > 0 && fit.fit())
  resized.observe(host)
  const themed = new MutationObserver(() => {
    terminal.options.theme = readTheme(host)
  })
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })

  return {
    terminal,
    onData: keys.onData,
    dispose() {
      keys.element.remove()
      resized.disconnect()
      themed.disconnect()
      terminal.dispose()
    },
  }
}

/** Returns a function that decides whether a key is a Tab for the browser. It must see every key. */
function tabRule(takesTab: () => boolean): (event: KeyboardEvent) => boolean {
  let isEscaped = false
  return ({ type, key, shiftKey, ctrlKey, altKey, metaKey }) => {
    const wasEscaped = isEscaped
    if (type === 'keydown' && key !== 'Shift') isEscaped = key === 'Escape'
    if (key !== 'Tab') return false
    return wasEscaped || shiftKey || ctrlKey || altKey || metaKey || !takesTab()
  }
}

/** Other keys for the browser and the page: leaving the terminal, copy and paste, and page shortcuts. */
function belongsToPage(event: KeyboardEvent, hasSelection: boolean): boolean {
  const command = event.ctrlKey || event.metaKey
  if (command && event.code === 'Backquote') return true
  if (command && event.key.toLowerCase() === 'v') return true
  return command && event.key.toLowerCase() === 'c' && (hasSelection || event.shiftKey || event.metaKey)
}

const NAMES = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
] as const

/** Converts the page's design tokens to a theme of xterm, which does not support CSS variables. `host` must be in the document. */
function readTheme(host: HTMLElement): ITheme {
  const probe = document.createElement('span')
  host.append(probe)
  const read = (token: string): string => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  const theme: ITheme = {
    ...Object.fromEntries(NAMES.map((name, index) => [name, read(`--term-${index}`)])),
    background: read('--panel'),
    foreground: read('--ink'),
    cursor: read('--accent'),
    cursorAccent: read('--panel'),
    selectionBackground: read('--term-selection'),
    scrollbarSliderBackground: read('--term-slider'),
    scrollbarSliderHoverBackground: read('--control-line'),
    scrollbarSliderActiveBackground: read('--control-line'),
  }
  probe.remove()
  return theme
}

/**
 * Accepts text that arrives without a key press, such as dictation or an emoji picker. In screen reader mode xterm ignores such text,
 * because it only accepts keys and compositions.
 */
function takeTextWithoutKeys(terminal: Terminal): void {
  let keyDown = false
  terminal.textarea?.addEventListener('keydown', () => {
    keyDown = true
  })
  terminal.textarea?.addEventListener('keyup', () => {
    keyDown = false
  })
  terminal.textarea?.addEventListener('input', (event) => {
    if (event instanceof InputEvent && event.inputType === 'insertText' && event.data && !keyDown) terminal.input(event.data)
  })
}
