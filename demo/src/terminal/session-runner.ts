import { type CallRecord, callTool } from '../calls.js'
import { STANDARD } from '../presets/choice.js'
import type { Session, TerminalAgent } from '../session.js'
import type { CommandRunner } from './terminal.js'

export interface SessionRunner extends CommandRunner {
  /** Updates the working directory after a `bash` call of the same agent. */
  follow(record: CallRecord): void
}

/** Commands that may run a server until stopped get the maximum timeout of `bash`. */
const PROGRAM = /\b(?:node|npm (?:start|run))\b/
const PROGRAM_MS = 1_200_000

/** Runs commands with an agent's `bash`, whatever the selected preset. Awaits `onCall` after every call. */
export function createSessionRunner(
  { workspace }: Session,
  agent: TerminalAgent,
  onCall: (record: CallRecord) => Promise<void>,
): SessionRunner {
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

/** Inside the workspace a path starting with its name (`workspace/src`); otherwise the whole path. */
function promptOf(cwd: string, root: string): string {
  const isInside = cwd === root || cwd.startsWith(`${root}/`)
  return isInside ? cwd.slice(root.lastIndexOf('/') + 1) : cwd
}
