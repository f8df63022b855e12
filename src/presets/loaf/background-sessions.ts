import { ShellError } from '../../errors/index.js'
import type { Session, SessionInfo } from '../../types/session.js'
import type { ShellAdapter, TerminalSize } from '../../types/shell.js'
import type { ToolContext } from '../../types/tool.js'
import type { LoafFamily } from './background-family.js'

/** The requested terminal size of each session. Kept here because a session without a terminal does not store the size. */
const asked = new WeakMap<Session, TerminalSize>()

export function rememberSize(session: Session, size: TerminalSize): void {
  asked.set(session, size)
}

/** @throws ShellError unknown_session */
export function sessionFor(verb: string, { kind }: LoafFamily, id: string, { sessions }: ToolContext): Session {
  const session = sessions.get(id)
  if (session?.info.kind !== kind) throw new ShellError('unknown_session', `${verb}_background_${kind} requires a valid \`session_id\`.`)
  return session
}

/** Whether an error is a ShellError with this code. Compares by name, because the error may come from another copy of this package. */
export const isShellError = (error: unknown, code: ShellError['code']): error is ShellError =>
  error instanceof Error && error.name === 'ShellError' && (error as ShellError).code === code

/** Returns the fields that identify the shell, as in foreground results. */
export const shellFields = ({ can, name }: ShellAdapter): { shell: string; shell_command: string; shell_args: readonly string[] } => ({
  shell: can.dialect,
  shell_command: name,
  shell_args: [],
})

/** Returns the last fields of each description of a session. */
export function terminalFields(session: Session): {
  transport: SessionInfo['transport']
  full_terminal: boolean
  terminal_cols: number | null
  terminal_rows: number | null
} {
  const { transport, terminal } = session.info
  const size = terminal ?? asked.get(session)
  return { transport, full_terminal: transport === 'pty', terminal_cols: size?.cols ?? null, terminal_rows: size?.rows ?? null }
}

export const timeOf = (ms: number): string => new Date(ms).toISOString()
