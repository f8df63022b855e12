import type { JsonSchema } from '../../types/tool.js'
import type { OutputName } from './index.js'

/** The output schema of a tool, loaded on request. */
export const outputOf =
  (name: OutputName): (() => Promise<JsonSchema>) =>
  async () =>
    (await import('./index.js')).OUTPUTS[name]
