import { reply } from '../../../core/define-tool.js'
import { InputError } from '../../../errors/index.js'
import type { Session } from '../../../types/session.js'
import type { ToolContext, ToolReply } from '../../../types/tool.js'
import type { BackgroundFamily } from './family.js'
import { findSession } from './find.js'
import { type StateFields, stateFields, stateText } from './session-fields.js'
import { takenInTime } from './taken-in-time.js'

export interface WriteInput {
  readonly session_id: string
  readonly input?: string | undefined
  readonly key?: string | undefined
  readonly repeat: number
  readonly append_newline: boolean
}

export interface BackgroundWrite extends StateFields {
  /** UTF-8 bytes. */
  readonly bytes_written: number
  /** What was not as asked. */
  readonly note?: string
}

const NOT_TAKEN = 'the program has not read all of this yet: the rest waits in its input'

/** The body of `write_background_bash` and `write_background_js`. */
export async function runWrite({ kind }: BackgroundFamily, input: WriteInput, context: ToolContext): Promise<ToolReply<BackgroundWrite>> {
  checkTogether(kind, input)
  const session = findSession(context, kind, input.session_id)
  const bytes = await takenInTime(send(session, input), context)
  const output = {
    ...stateFields(session.info),
    bytes_written: bytes ?? 0,
    ...(bytes === undefined && { note: NOT_TAKEN }),
  }
  return reply(output, [{ type: 'text', text: render(output, input) }])
}

/** @throws {InputError} for fields that mean nothing together */
function checkTogether(kind: BackgroundFamily['kind'], { input, key, repeat, append_newline }: WriteInput): void {
  const refusal = (path: string, message: string): InputError =>
    new InputError('invalid_input', `Cannot call "write_background_${kind}": ${path}: ${message}`, { issues: [{ path, message }] })
  if ((input === undefined) === (key === undefined)) throw refusal('input', 'give either input or key')
  if (key === undefined && repeat !== 1) throw refusal('repeat', 'is for keys: write the text as often as it is wanted')
  if (input === '' && !append_newline) throw refusal('input', 'is empty, and append_newline is false: there is nothing to send')
}

function send(session: Session, { input, key, repeat, append_newline }: WriteInput): Promise<number> {
  if (key !== undefined) return session.press(key, { repeat })
  // On a terminal it is the key, which programs that read keys wait for; for all others the terminal makes a line feed of it.
  const enter = session.info.transport === 'pty' ? '\r' : '\n'
  return session.write(`${input}${append_newline ? enter : ''}`)
}

function render(output: BackgroundWrite, { key, repeat }: WriteInput): string {
  const { bytes_written, note } = output
  const done =
    key === undefined ? `Sent ${bytes_written} bytes` : `Pressed ${key.trim().toLowerCase()}${repeat === 1 ? '' : ` ${repeat} times`}`
  return `${note === undefined ? done : `[${note}]`}\n[${stateText(output)}]`
}
