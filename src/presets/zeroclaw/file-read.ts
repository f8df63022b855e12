import { defineTool } from '../../core/define-tool.js'
import { InputError } from '../../errors/index.js'
import type { AnyTool } from '../../types/tool.js'
import { argumentsSchema, countOf, optionalStringParam, stringParam } from './arguments.js'
import { type FileReadInput, runFileRead } from './file-read-run.js'
import type { Guard } from './guard.js'

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path to the file, relative to the workspace or absolute inside it' },
    offset: { type: 'integer', description: 'First line to read, from 1 (default: 1)' },
    limit: { type: 'integer', description: 'Lines to read at the most (default: all)' },
    encoding: { type: 'string', enum: ['utf8', 'base64'], description: 'base64 gives the bytes of any file (default: utf8)' },
  },
  required: ['path'],
}

export function fileReadTool(guard: Guard): AnyTool {
  return defineTool({
    name: 'file_read',
    description: 'Read a file in the workspace, with line numbers, in whole or from a line on',
    inputSchema: argumentsSchema<FileReadInput>(schema, (args) => {
      const path = stringParam(args, 'path')
      const encoding = optionalStringParam(args, 'encoding') ?? 'utf8'
      if (encoding !== 'utf8' && encoding !== 'base64') {
        throw new InputError('invalid_input', `Invalid 'encoding' parameter: expected utf8 or base64`)
      }
      return { path, offset: Math.max(1, countOf(args, 'offset') ?? 1), limit: countOf(args, 'limit'), encoding }
    }),
    annotations: { title: 'Read file', readOnlyHint: true },
    run: async (input, context) => {
      await guard.admitTool({ tool: 'file_read', input }, context)
      return runFileRead(input, context, guard)
    },
  })
}
