import type { JsonSchema } from '../../types/tool.js'
import { FILES } from './files.js'
import type { OutputName } from './names.js'
import { OTHERS } from './others.js'
import { RUN } from './run.js'
import { SEARCH } from './search.js'

/** What the tools of the standard preset return. They load when somebody asks: a model is not shown them. */
export const OUTPUTS: Readonly<Record<OutputName, JsonSchema>> = { ...FILES, ...SEARCH, ...RUN, ...OTHERS }
