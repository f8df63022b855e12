import { type CallRecord, callTool } from '../calls.js'
import { STANDARD } from '../presets/choice.js'
import type { Session } from '../session.js'
import type { CommandRunner } from './terminal.js'

export interface SessionRunner extends CommandRunner {
  /** Takes over where a call has left the shell, when it was one of `bash`. */
  follow(record: CallRecord): void
}

/** Runs commands with the standard `bash` of the session, whatever the preset of the tools. `onCall` is told of every call, and waited for. */
export function createSessionRunner(session: Session, onCall: (record: CallRecord) => Promise<void>): SessionRunner {
  let cwd = session.workspace.cwd
  const agent = { preset: STANDARD, runtime: session.runtime }
  return {
    prompt: () => promptOf(cwd, session.workspace.root),
    follow({ preset, tool, result }) {
      // The shell of another preset has a directory of its own.
      if (preset !== STANDARD || tool !== 'bash' || !result.ok) return
      const { output } = result
      if (typeof output === 'object' && output !== null && 'cwd' in output && typeof output.cwd === 'string') cwd = output.cwd
    },
    async run(command, options) {
      const record = await callTool(agent, 'bash', { command }, options)
      await onCall(record)
      return record.result
    },
  }
}

/** In the workspace from its name on, `workspace/src`; elsewhere the whole path. */
function promptOf(cwd: string, root: string): string {
  const isInside = cwd === root || cwd.startsWith(`${root}/`)
  return isInside ? cwd.slice(root.lastIndexOf('/') + 1) : cwd
}
