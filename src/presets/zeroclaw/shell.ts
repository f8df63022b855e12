import { defineTool } from '../../core/define-tool.js'
import { InputError } from '../../errors/index.js'
import type { AnyTool, JsonSchema } from '../../types/tool.js'
import { argumentsSchema, booleanParam, stringParam } from './arguments.js'
import type { Guard } from './guard.js'
import { runShell, type ShellInput } from './shell-run.js'

const DOCUMENTED: JsonSchema = {
  type: 'object',
  properties: { command: { type: 'string', description: 'Shell command to execute' } },
  required: ['command'],
}

const WITH_APPROVED: JsonSchema = {
  ...DOCUMENTED,
  properties: {
    ...(DOCUMENTED.properties as JsonSchema),
    approved: {
      type: 'boolean',
      description: 'Set true to approve a command that the security policy wants approved (supervised mode)',
      default: false,
    },
  },
}

/**
 * Creates the tool `shell`. Its schema has the field `approved` only if that field has an effect: if there is no approver, and commands may
 * need an approval.
 */
export function shellTool(guard: Guard): AnyTool {
  const selfApproved = !guard.asks && guard.policy().settings.autonomy === 'supervised'
  return defineTool({
    name: 'shell',
    description: 'Execute a shell command in the workspace directory',
    inputSchema: argumentsSchema<ShellInput>(selfApproved ? WITH_APPROVED : DOCUMENTED, (args) => {
      const command = stringParam(args, 'command')
      if (command.trim() === '') throw new InputError('invalid_input', 'Command cannot be empty')
      return { command, approved: booleanParam(args, 'approved', false) }
    }),
    annotations: { title: 'Run a command', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    requires: ['shell'],
    run: (input, context) => runShell(input, context, guard),
  })
}
