import type { ToolResult } from 'toolport'
import { h } from '../dom.js'
import { createCommandOutput } from './command-output.js'
import { complete } from './completion/complete.js'
import { createSources, type ShellPlace, type Sources } from './completion/sources.js'
import type { HistoryStore } from './history.js'
import { createLineEditor } from './line-editor.js'
import { createScreen } from './screen.js'
import { colour, SETTLE } from './sequences.js'
import { type Step, stepsOf } from './steps.js'

export interface CommandOptions {
  readonly signal: AbortSignal
  readonly onProgress: (update: unknown) => void
}

/** Runs the commands of a terminal. */
export interface CommandRunner {
  /** State of the shell for the next command. */
  readonly place: ShellPlace
  /** Prompt of the next command. */
  prompt(): string
  /** Runs a command, or starts it as a background job. Never rejects. Resolves when the page shows the changes. */
  run(step: Step, options: CommandOptions): Promise<ToolResult>
}

export interface TerminalView {
  /** Resets the terminal for a runner: clears the screen and aborts the running command. */
  use(runner: CommandRunner, greeting: string): void
  /** Redraws the prompt if it has changed. */
  showPrompt(): void
  /** Aborts the running command. */
  stop(): void
  clear(): void
  focus(): void
  dispose(): void
}

/** A terminal in `host` that reads and runs commands one after another. `onBusy` is called when a command starts or ends. */
export function createTerminal(host: HTMLElement, history: HistoryStore, onBusy: (busy: boolean) => void): TerminalView {
  const screen = createScreen(host, () => editor.isTyping)
  const { terminal } = screen
  const status = h('p', { class: 'visually-hidden', role: 'status' })
  host.after(status)
  const editor = createLineEditor(screen, {
    history,
    onInterrupt: stop,
    complete: async (line) => (sources ? complete(line, sources) : { line, candidates: [] }),
    announce: (text) => {
      status.textContent = text
    },
  })
  let sources: Sources | undefined
  let abort: AbortController | undefined
  /** Whether Ctrl+C was pressed between Enter and the start of the command. */
  let stopNext = false
  let runner: CommandRunner | undefined

  function stop(): void {
    if (abort) abort.abort()
    else stopNext = true
  }

  async function serve(own: CommandRunner): Promise<void> {
    while (runner === own) {
      const reading = editor.read(promptOf(own))
      stopNext = false
      const command = await reading
      if (runner !== own) return
      if (command.trim() === 'clear') await editor.clear()
      else if (command.trim() !== '') await run(own, command)
    }
  }

  async function run(own: CommandRunner, command: string): Promise<void> {
    const controller = new AbortController()
    abort = controller
    onBusy(true)
    controller.signal.addEventListener('abort', () => runner === own && terminal.write('^C\n'))
    if (stopNext) controller.abort()
    for (const step of stepsOf(command)) if (!(await runStep(own, step, controller.signal))) break
    if (abort === controller) {
      abort = undefined
      onBusy(false)
    }
    if (runner === own) terminal.write(SETTLE)
  }

  /** Runs a step. Returns false if the following steps must not run. */
  async function runStep(own: CommandRunner, step: Step, signal: AbortSignal): Promise<boolean> {
    // Prints nothing more after the user has left the workspace.
    const output = createCommandOutput((text) => runner === own && terminal.write(text))
    const result = await own.run(step, { signal, onProgress: (update) => !signal.aborted && output.onProgress(update) })
    output.onResult(result)
    return result.ok && !signal.aborted
  }

  return {
    use(next, greeting) {
      runner = next
      sources = createSources(next.place)
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
      screen.dispose()
      status.remove()
    },
  }
}

const promptOf = (runner: CommandRunner): string => `${colour('path', runner.prompt())} ${colour('faint', '$')} `
