import { wellFormed } from '../escaped-bytes.js'
import type { InterpreterState } from '../library-types.js'
import { ATTRIBUTES, type StateParts } from './shape.js'

/** Gives a shell that has not begun what an earlier one has left. What it has exported comes with `env`, which goes before. */
export function restoreState(state: InterpreterState, parts: StateParts): void {
  const fields = state as unknown as Record<string, Set<string> | undefined>
  for (const [name, value] of parts.variables) {
    // In the environment there is U+FFFD for a byte that is no UTF-8.
    if (!state.exportedVars?.has(name) || state.env.get(name) === wellFormed(value)) state.env.set(name, value)
  }
  state.arrays ??= new Map()
  for (const [name, { kind, elements }] of parts.arrays) state.arrays.set(name, { kind, elements: new Map(elements) })
  for (const attribute of ATTRIBUTES) {
    const names = parts.attributes[attribute]
    if (names?.length) fields[attribute] = new Set([...(fields[attribute] ?? []), ...names])
  }
  for (const [name, node] of parts.functions) state.functions.set(name, node)
  for (const option of parts.options) if (Object.hasOwn(state.options, option)) state.options[option] = true
  for (const [option, on] of parts.shopt) if (Object.hasOwn(state.shoptOptions, option)) state.shoptOptions[option] = on
  if (parts.directories.length > 0) state.directoryStack = [...parts.directories]
}
