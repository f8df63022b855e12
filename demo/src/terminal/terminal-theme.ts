import type { ITheme } from '@xterm/xterm'

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
export function readTheme(host: HTMLElement): ITheme {
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
