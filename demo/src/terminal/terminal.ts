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

/** What a terminal runs its commands with. */
export interface CommandRunner {
  /** Where the next command runs. */
  readonly place: ShellPlace
  /** Where the next command runs, as it is shown. */
  prompt(): string
  /** Runs a command, or begins it as a job; never rejects. Resolves when the page shows what it changed. */
  run(step: Step, options: CommandOptions): Promise<ToolResult>
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

/** A terminal in `host` that reads commands and runs them, one after another. `onBusy` is told when one begins and ends. */
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
  /** Ctrl+C came between Enter and the start of the command. */
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

  /** False: what comes behind it does not run. */
  async function runStep(own: CommandRunner, step: Step, signal: AbortSignal): Promise<boolean> {
    // Of a workspace that was left, nothing is printed any more.
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
