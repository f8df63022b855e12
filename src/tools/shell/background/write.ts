import * as z from 'zod/mini'
import { defineTool } from '../../../core/define-tool.js'
import { lazy } from '../../../core/lazy.js'
import { SESSION_KEYS } from '../../../sessions/keys.js'
import type { AnyTool } from '../../../types/tool.js'
import { flag, integer, text } from '../../schema.js'
import { sessionId } from './input.js'

const writeInput = z.strictObject({
  session_id: sessionId(),
  input: z.optional(
    z.string().check(z.maxLength(1024 * 1024), z.describe('Text to send to its standard input; Enter is added (append_newline).')),
  ),
  key: z.optional(
    text(`Instead of input, a key to press: ${SESSION_KEYS.join(', ')}. Without a terminal ctrl+c interrupts and ctrl+d ends the input.`),
  ),
  repeat: integer('How often to press the key.', { min: 1, max: 100, byDefault: 1 }),
  append_newline: flag('Press Enter after the input.', true),
})

const body = lazy(() => import('./bodies.js'))

export const writeBackgroundBash: AnyTool = defineTool({
  name: 'write_background_bash',
  description:
    'Send text, or a key, to a background session: answer a prompt, give a REPL its next line, interrupt with ctrl+c. What it prints then is read with read_background_bash and wait_ms.',
  inputSchema: writeInput,
  annotations: {
    title: 'Write to a background session',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  requires: ['shell.spawn'],
  run: async (input, context) => (await body()).runWrite(input, context),
})
