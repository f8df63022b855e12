import { defineTool } from '../../core/define-tool.js'
import { InputError } from '../../errors/index.js'
import type { AnyTool } from '../../types/tool.js'
import { argumentsSchema, stringParam } from './arguments.js'
import { runFileEdit } from './file-edit-run.js'
import type { Guard } from './guard.js'

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path to the file, relative to the workspace or absolute inside it' },
    old_string: {
      type: 'string',
      minLength: 1,
      description: 'The exact text to replace; it has to be in the file once. Line breaks may be LF where the file has CRLF',
    },
    new_string: { type: 'string', description: 'What comes in its place; empty to delete it' },
  },
  required: ['path', 'old_string', 'new_string'],
}

export function fileEditTool(guard: Guard): AnyTool {
  return defineTool({
    name: 'file_edit',
    description: 'Replace a text in a file by another one. The text has to be in the file exactly once',
    inputSchema: argumentsSchema(schema, (args) => {
      const path = stringParam(args, 'path')
      const oldString = stringParam(args, 'old_string')
      const newString = stringParam(args, 'new_string')
      if (oldString === '') throw new InputError('invalid_input', 'old_string must not be empty')
      return { path, oldString, newString }
    }),
    annotations: { title: 'Edit file', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    run: async (input, context) => {
      await guard.admitTool({ tool: 'file_edit', input }, context)
      return guard.writing(input.path, context, (locked) => runFileEdit(input, locked))
    },
  })
}
