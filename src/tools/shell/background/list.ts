import * as z from 'zod/mini'
import { defineTool } from '../../../core/define-tool.js'
import { lazy } from '../../../core/lazy.js'
import type { AnyTool } from '../../../types/tool.js'
import { flag } from '../../schema.js'

const listInput = z.strictObject({
  include_exited: flag('List those too that have ended: what they printed can still be read.', false),
})

const body = lazy(() => import('./bodies.js'))

export const listBackgroundBash: AnyTool = defineTool({
  name: 'list_background_bash',
  description: 'List the background sessions of bash, the newest first, with how much of their output is unread.',
  inputSchema: listInput,
  annotations: { title: 'List background sessions', readOnlyHint: true },
  requires: ['shell.spawn'],
  run: async (input, context) => (await body()).runList(input, context),
})
