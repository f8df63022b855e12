import { required } from '../../errors/required.js'
import type { AnyTool } from '../../types/tool.js'
import type { Guard } from './guard.js'
import { specOf, toToolResult, type ZeroclawToolLike } from './tool.js'
import { ToolFailed } from './tool-failure.js'

/**
 * Converts a tool with the documented methods to a Toolport tool. The runtime validates input by the tool's schema, passes the signal of
 * the call, and reports the tool's failures as failures of the call.
 *
 * @throws TypeError for a tool without a schema
 */
export function fromZeroclawTool(tool: ZeroclawToolLike, guard?: Guard): AnyTool {
  const { name, description, parameters } = specOf(required('fromZeroclawTool', 'an object of a tool', tool, 'execute'))
  return {
    name,
    description,
    inputSchema: parameters,
    run: async (input: unknown, context) => {
      await guard?.admitTool({ tool: name, input }, context)
      const { success, output, error } = toToolResult(await tool.execute(input, { signal: context.signal }))
      if (success) return output
      throw new ToolFailed(error ?? '', { printed: output })
    },
  }
}
