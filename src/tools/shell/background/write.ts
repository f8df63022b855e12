import { defineTool } from '../../../core/define-tool.js'
import { object, optional, text } from '../../../core/fields.js'
import { lazy } from '../../../core/lazy.js'
import { SESSION_KEYS } from '../../../sessions/keys.js'
import type { AnyTool } from '../../../types/tool.js'
import { outputOf } from '../../outputs/load.js'
import { flag, integer } from '../../schema.js'
import { charactersAtMost } from '../../told.js'
import type { BackgroundFamily } from './family.js'
import { sessionId } from './input.js'

const MIB = 1024 * 1024

const body = lazy(() => import('./bodies.js'))

export function writeBackground(family: BackgroundFamily): AnyTool {
  const { kind, title, requires } = family
  return defineTool({
    name: `write_background_${kind}`,
    description: `Send text, or a key, to a background session: answer a prompt, give a REPL its next line, interrupt with ctrl+c. What it prints then is read with read_background_${kind} and wait_ms. It is refused while 1 MiB waits that the program has not read.`,
    inputSchema: object({
      session_id: sessionId(family),
      input: optional(
        text('Text to send to its standard input; Enter is added (append_newline).', { maxLength: MIB }, [charactersAtMost(MIB)]),
      ),
      key: optional(
        text(
          `Instead of input, a key to press: ${SESSION_KEYS.join(', ')}. Without a terminal ctrl+c interrupts and ctrl+d ends the input.`,
        ),
      ),
      repeat: integer('How often to press the key.', { min: 1, max: 100, byDefault: 1 }),
      append_newline: flag('Press Enter after the input.', true),
    }),
    outputSchema: outputOf('write_background'),
    annotations: {
      title: `Write to a ${title}`,
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    requires,
    run: async (input, context) => (await body()).runWrite(family, input, context),
  })
}
