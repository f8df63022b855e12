import type { Calls } from '../shared/calls.js'
import { explain, failureOf } from '../shared/explaining.js'
import type { Paths } from './paths.js'
import type { DeepAgentsFileError } from './types.js'

/** Some tools of deepagents show the error text unchanged. Others add "Error: ", so the text must not have this prefix twice. */
type Prefix = 'keep' | 'drop'

/** Does some work, and returns an error as a text for the model. @throws the reason of the signal */
type Settled = <Result>(prefix: Prefix, work: () => Promise<Result>) => Promise<Result | { error: string }>

export function settling(calls: Calls, outer: Paths['outer']): Settled {
  return async (prefix, work) => {
    try {
      return await work()
    } catch (error) {
      const text = explain(failureOf(calls, error), outer)
      return { error: prefix === 'drop' ? text.replace(/^Error: /, '') : text }
    }
  }
}

/** Null if the work succeeds. @throws the reason of the signal */
export async function problemOf(calls: Calls, work: () => Promise<void>): Promise<DeepAgentsFileError | null> {
  try {
    await work()
    return null
  } catch (error) {
    const { code, status } = failureOf(calls, error).output
    if (code === 'ENOENT') return 'file_not_found'
    if (code === 'EISDIR') return 'is_directory'
    return status === 'denied' ? 'permission_denied' : 'invalid_path'
  }
}
