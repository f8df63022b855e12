import type { JsonSchema } from '../../types/tool.js'
import type { OutputName } from './index.js'

/** Returns a function that loads the output schema of a tool. */
export const outputOf =
  (name: OutputName): (() => Promise<JsonSchema>) =>
  async () =>
    (await import('./index.js')).OUTPUTS[name]
