import type { CallContext } from '../types/runtime.js'
import type { ToolCall } from '../types/tool.js'

/** A call as received. Every field is read once. */
export interface ReadCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
  /** The problem with the call itself. */
  readonly problem?: string
}

/** Reads a call. Calls come from models and clients, so the types of their fields are unknown. Never throws. */
export function readCall(call: ToolCall, nextId: () => string): ReadCall {
  let id: unknown
  try {
    id = call.id
    const { name, input } = call
    if (typeof name === 'string') return { id: usableId(id) ?? nextId(), name, input }
    return { id: usableId(id) ?? nextId(), name: '', input, problem: 'Cannot run this call: "name" is not a string' }
  } catch {
    return { id: usableId(id) ?? nextId(), name: '', input: undefined, problem: 'Cannot run this call: it is not an object' }
  }
}

const usableId = (id: unknown): string | undefined =>
  typeof id === 'string' && id !== '' ? id : typeof id === 'number' ? String(id) : undefined

export interface ReadContext extends CallContext {
  readonly problem?: string
}

/** Reads each field of the caller's context once. With a deadline of 0 ms, only synchronous tools succeed. Never throws. */
export function readContext(context: CallContext | undefined): ReadContext {
  if (context === undefined || context === null) return {}
  try {
    const { signal, deadlineMs, onProgress } = context
    if (signal && typeof signal.addEventListener !== 'function') return { problem: 'Cannot run this call: "signal" is not an AbortSignal' }
    if (deadlineMs !== undefined && deadlineMs !== null && !(typeof deadlineMs === 'number' && deadlineMs >= 0))
      return { problem: 'Cannot run this call: "deadlineMs" is not a number of milliseconds of 0 or more' }
    return {
      ...(signal && { signal }),
      ...(typeof deadlineMs === 'number' && { deadlineMs }),
      ...(typeof onProgress === 'function' && { onProgress }),
    }
  } catch {
    return { problem: 'Cannot run this call: its context cannot be read' }
  }
}
