import { reply } from '../../../core/define-tool.js'
import type { ToolContext, ToolReply } from '../../../types/tool.js'
import { BASH } from './family.js'
import { findSession } from './find.js'
import { type StateFields, stateFields, stateText } from './session-fields.js'

export interface ResizeInput {
  readonly session_id: string
  readonly cols: number
  readonly rows: number
}

export interface BackgroundResize extends StateFields {
  readonly status: 'resized'
  readonly cols: number
  readonly rows: number
}

/** The body of `resize_background_bash`. */
export async function runResize({ session_id, cols, rows }: ResizeInput, context: ToolContext): Promise<ToolReply<BackgroundResize>> {
  const session = findSession(context, BASH.kind, session_id)
  await session.resize({ cols, rows })
  const output: BackgroundResize = { status: 'resized', ...stateFields(session.info), cols, rows }
  return reply(output, [{ type: 'text', text: `The terminal is ${cols}x${rows} now\n[${stateText(output)}]` }])
}
