import { defineTool } from '../../core/define-tool.js'
import { InputError } from '../../errors/index.js'
import { styleWords } from '../../tools/files/change.js'
import { runWrite } from '../../tools/files/run.js'
import type { WriteInput } from '../../tools/files/text-style.js'
import type { AnyTool } from '../../types/tool.js'
import { argumentsSchema, optionalStringParam, stringParam } from './arguments.js'
import type { Guard } from './guard.js'

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path to the file, relative to the workspace or absolute inside it' },
    content: { type: 'string', description: 'Content of the whole file' },
    encoding: { type: 'string', enum: ['utf8', 'base64'], description: 'base64: content is the bytes of the file (default: utf8)' },
  },
  required: ['path', 'content'],
}

export function fileWriteTool(guard: Guard): AnyTool {
  return defineTool({
    name: 'file_write',
    description: 'Write a file in the workspace, in whole. Missing directories are made. CRLF line endings and a byte order mark stay',
    inputSchema: argumentsSchema<WriteInput>(schema, (args) => {
      const path = stringParam(args, 'path')
      const content = stringParam(args, 'content')
      const encoding = optionalStringParam(args, 'encoding') ?? 'utf8'
      if (encoding !== 'utf8' && encoding !== 'base64') {
        throw new InputError('invalid_input', `Invalid 'encoding' parameter: expected utf8 or base64`)
      }
      return { path, content, encoding, mode: 'overwrite', eol: 'keep' }
    }),
    annotations: { title: 'Write file', readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: async (input, context) => {
      await guard.admitTool({ tool: 'file_write', input }, context)
      const written = await guard.writing(input.path, context, (locked) => runWrite(input, locked))
      return `Written ${written.bytes_after} bytes to ${input.path}${styleWords(written)}`
    },
  })
}
