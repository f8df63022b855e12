import { type CallRecord, callTool } from '../calls.js'
import { h } from '../dom.js'
import { whenLong } from '../pace.js'
import { STANDARD } from '../presets/choice.js'
import type { Session, TerminalAgent } from '../session.js'
import type { HistoryStore } from './history.js'
import type { CommandRunner, TerminalView } from './terminal.js'

export interface ShellTab {
  readonly panel: HTMLElement
  readonly isBusy: boolean
  use(session: Session, agent: TerminalAgent): void
  /** Updates the working directory after a call. */
  follow(record: CallRecord): void
  /** Shows the tab and loads the terminal on first use. */
  show(): Promise<void>
  focus(): void
  stop(): void
  clear(): void
  dispose(): void
}

export interface ShellTabOptions {
  readonly history: HistoryStore
  /** Id of the hint on how to leave the terminal. */
  readonly hint: string
  readonly onBusy: () => void
  readonly onCall: (record: CallRecord) => Promise<void>
}

/** Programs of the sample workspaces, suggested in the greeting. */
const PROGRAMS = ['examples/lines.js', 'test/run.ts', 'check.js']

function greetingFor({ files }: Session): string {
  const program = PROGRAMS.find((path) => path in files)
  return `A bash on these files, with node. Try: ${program ? `node ${program}` : 'ls -l'}`
}

/** A terminal tab with its own shell session. */
export function createShellTab({ history, hint, onBusy, onCall }: ShellTabOptions): ShellTab {
  const host = h('div', { class: 'terminal-host' })
  const problem = h('p', { class: 'empty', role: 'alert', hidden: true })
  const waiting = h('p', { class: 'empty', role: 'status', hidden: true }, 'Loading the terminal…')
  const panel = h('div', { class: 'terminal-panel' }, host, waiting, problem)
  let runner: SessionRunner | undefined
  let greeting = ''
  let loading: Promise<void> | undefined
  let view: TerminalView | undefined
  let busy = false
  let disposed = false

  async function load(): Promise<void> {
    problem.hidden = true
    try {
      const tell = (): void => {
        waiting.hidden = false
      }
      const { createTerminal } = await whenLong(tell, () => import('./terminal.js'))
      waiting.hidden = true
      if (disposed) return
      view = createTerminal(host, history, (now) => {
        busy = now
        onBusy()
      })
      host.querySelector('textarea')?.setAttribute('aria-describedby', hint)
      // The runner was set while the terminal loaded, and has followed the working directory since.
      if (runner) view.use(runner, greeting)
    } catch (error) {
      loading = undefined
      waiting.hidden = true
      problem.textContent = `The terminal could not be loaded: ${error instanceof Error ? error.message : String(error)}`
      problem.hidden = false
    }
  }

  return {
    panel,
    get isBusy() {
      return busy
    },
    use(session, agent) {
      // Ignores calls in a workspace that is no longer shown.
      const own = createSessionRunner(session, agent, async (record) => {
        if (runner === own) await onCall(record)
      })
      runner = own
      greeting = greetingFor(session)
      view?.use(own, greeting)
    },
    follow(record) {
      runner?.follow(record)
      view?.showPrompt()
    },
    async show() {
      loading ??= load()
      await loading
    },
    focus: () => view?.focus(),
    stop: () => view?.stop(),
    clear: () => view?.clear(),
    dispose() {
      disposed = true
      runner = undefined
      view?.dispose()
    },
  }
}

interface SessionRunner extends CommandRunner {
  /** Updates the working directory after a `bash` call of the same agent. */
  follow(record: CallRecord): void
}

/** Commands that may run a server until stopped get the maximum timeout of `bash`. */
const PROGRAM = /\b(?:node|npm (?:start|run))\b/
const PROGRAM_MS = 1_200_000

/** Runs commands with an agent's `bash`, whatever the selected preset. Awaits `onCall` after every call. */
function createSessionRunner({ workspace }: Session, agent: TerminalAgent, onCall: (record: CallRecord) => Promise<void>): SessionRunner {
  let cwd = workspace.cwd
  return {
    place: {
      workspace,
      look: agent.look,
      get cwd() {
        return cwd
      },
    },
    prompt: () => promptOf(cwd, workspace.root),
    follow({ preset, tool, result }) {
      // The shell of another preset has its own working directory.
      if (preset !== agent.preset || tool !== 'bash' || !result.ok) return
      const { output } = result
      const isForeground = typeof output === 'object' && output !== null && 'exit_code' in output
      if (isForeground && 'cwd' in output && typeof output.cwd === 'string') cwd = output.cwd
    },
    async run({ command, isJob }, options) {
      const input = { command, ...(isJob ? { run_in_background: true } : PROGRAM.test(command) && { timeout_ms: PROGRAM_MS }) }
      const record = await callTool(agent, 'bash', input, options)
      if (agent.preset !== STANDARD) this.follow(record)
      await onCall(record)
      return record.result
    },
  }
}

/** The working directory for the prompt. Inside the workspace, the path starts with the workspace's name (`workspace/src`). */
function promptOf(cwd: string, root: string): string {
  const isInside = cwd === root || cwd.startsWith(`${root}/`)
  return isInside ? cwd.slice(root.lastIndexOf('/') + 1) : cwd
}
