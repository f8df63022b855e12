import type { JsonSchema } from '../../types/tool.js'
import type { OutputName } from './index.js'

/** The schema of a tool's output, when it is asked for. */
export const outputOf =
  (name: OutputName): (() => Promise<JsonSchema>) =>
  async () =>
    (await import('./index.js')).OUTPUTS[name]
