import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import type { ToolResult } from 'toolport'
import { createCommandOutput } from './command-output.js'
import { createLineEditor } from './line-editor.js'
import { colour, SETTLE } from './sequences.js'
import { readTheme } from './terminal-theme.js'
import { takeTextWithoutKeys } from './text-input.js'

export interface CommandOptions {
  readonly signal: AbortSignal
  readonly onProgress: (update: unknown) => void
}

/** What a terminal runs its commands with. */
export interface CommandRunner {
  /** Where the next command runs, as it is shown. */
  prompt(): string
  /** Runs a command; never rejects. Resolves when the page shows what it changed. */
  run(command: string, options: CommandOptions): Promise<ToolResult>
}

export interface TerminalView {
  /** Begins anew with this runner: an empty screen, what runs is aborted. */
  use(runner: CommandRunner, greeting: string): void
  /** Shows the runner's prompt, when it has changed while a command is asked for. */
  showPrompt(): void
  /** Aborts what runs. */
  stop(): void
  clear(): void
  focus(): void
  dispose(): void
}

const FONT_SIZE = 12.5
const SCROLLBACK = 5000
/** WCAG AA; colours that a program chooses itself are moved until they reach it. */
const CONTRAST = 4.5

/** A terminal in `host` that reads commands and runs them, one after another. `onBusy` is told when one begins and ends. */
export function createTerminal(host: HTMLElement, onBusy: (busy: boolean) => void): TerminalView {
  const terminal = new Terminal({
    convertEol: true,
    cursorInactiveStyle: 'outline',
    fontFamily: getComputedStyle(host).fontFamily,
    fontSize: FONT_SIZE,
    lineHeight: 1.3,
    // Links in output lead nowhere: the page has no business outside.
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
  terminal.attachCustomKeyEventHandler((event) => !belongsToPage(event, terminal.hasSelection()))
  takeTextWithoutKeys(terminal)
  terminal.write(SETTLE)

  const editor = createLineEditor(terminal, stop)
  let abort: AbortController | undefined
  let runner: CommandRunner | undefined

  const resized = new ResizeObserver(() => host.clientHeight > 0 && fit.fit())
  resized.observe(host)
  const themed = new MutationObserver(() => {
    terminal.options.theme = readTheme(host)
  })
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })

  function stop(): void {
    abort?.abort()
  }

  async function serve(own: CommandRunner): Promise<void> {
    while (runner === own) {
      const command = await editor.read(promptOf(own))
      if (runner !== own) return
      if (command.trim() === 'clear') await editor.clear()
      else if (command.trim() !== '') await run(own, command)
    }
  }

  async function run(own: CommandRunner, command: string): Promise<void> {
    const controller = new AbortController()
    abort = controller
    onBusy(true)
    // Of a workspace that was left, nothing is printed any more.
    const output = createCommandOutput((text) => runner === own && terminal.write(text))
    controller.signal.addEventListener('abort', () => runner === own && terminal.write('^C\n'))
    const { signal } = controller
    const result = await own.run(command, { signal, onProgress: (update) => !signal.aborted && output.onProgress(update) })
    if (abort === controller) {
      abort = undefined
      onBusy(false)
    }
    output.onResult(result)
    if (runner === own) terminal.write(SETTLE)
  }

  return {
    use(next, greeting) {
      runner = next
      stop()
      editor.drop()
      void editor.clear().then(() => {
        terminal.write(`${colour('faint', greeting)}\n`)
        return serve(next)
      })
    },
    showPrompt: () => runner && editor.showPrompt(promptOf(runner)),
    stop,
    clear: () => void editor.clear(),
    focus: () => terminal.focus(),
    dispose() {
      runner = undefined
      stop()
      resized.disconnect()
      themed.disconnect()
      terminal.dispose()
    },
  }
}

const promptOf = (runner: CommandRunner): string => `${colour('path', runner.prompt())} ${colour('faint', '$')} `

/** Keys that the terminal leaves to the browser and to the page: the ways out, copy and paste, and what the page itself listens to. */
function belongsToPage(event: KeyboardEvent, hasSelection: boolean): boolean {
  if (event.key === 'Tab') return true
  const command = event.ctrlKey || event.metaKey
  if (command && event.code === 'Backquote') return true
  if (command && event.key.toLowerCase() === 'v') return true
  return command && event.key.toLowerCase() === 'c' && (hasSelection || event.shiftKey || event.metaKey)
}
