import type { CommandResult, Context } from '../library-types.js'
import { functionText } from '../syntax/print-function.js'

/** Runs `export -f name ...`, which makes functions available in `bash -c` and scripts. Returns undefined for other arguments. */
export function exportFunctions({ place, state }: Context, args: readonly string[]): CommandResult | undefined {
  const [option, ...names] = args
  if (!/^-n?fn?$/.test(option ?? '') || names.length === 0) return undefined
  const missing = names.filter((name) => !state.functions.has(name))
  for (const name of names) {
    if (option !== '-f') place.exported.delete(name)
    else if (state.functions.has(name)) place.exported.add(name)
  }
  const stderr = missing.map((name) => `bash: export: ${name}: not a function\n`).join('')
  return { stdout: '', stderr, exitCode: missing.length === 0 ? 0 : 1 }
}

/** Copies exported functions to a script that a command runs. */
export function inheritFunctions(context: Context, caller: Context | undefined): void {
  for (const name of caller?.place.exported ?? []) {
    const body = caller?.state.functions.get(name)
    if (!body) continue
    context.state.functions.set(name, body)
    context.place.exported.add(name)
  }
}

/** Runs `declare -f [name ...]`. Returns undefined for other arguments. */
export function showFunctions({ state }: Context, args: readonly string[]): CommandResult | undefined {
  const [option = '', ...names] = args
  if (!/^-p*fp*$/.test(option)) return undefined
  const found = names.length > 0 ? names : [...state.functions.keys()].sort()
  const texts = found.map((name) => state.functions.get(name))
  return { stdout: texts.map((node) => (node ? functionText(node) : '')).join(''), stderr: '', exitCode: texts.includes(undefined) ? 1 : 0 }
}

/** Runs `caller [depth]`. */
export function callerBuiltin({ state }: Context, [depth]: readonly string[]): CommandResult {
  const { callLineStack = [], funcNameStack = [], sourceStack = [] } = state
  const failed = (stderr = '', exitCode = 1): CommandResult => ({ stdout: '', stderr, exitCode })
  if (depth === undefined) return sourceStack.length === 0 ? failed() : shown(`${callLineStack[0]} ${sourceStack[1] ?? 'NULL'}`)
  if (!/^\d+$/.test(depth)) return failed(`bash: caller: ${depth}: invalid number\ncaller: usage: caller [expr]\n`, 2)
  const at = Number(depth)
  const name = funcNameStack[at + 1]
  return name === undefined ? failed() : shown(`${callLineStack[at]} ${name} ${sourceStack[at + 1]}`)
}

const shown = (line: string): CommandResult => ({ stdout: `${line}\n`, stderr: '', exitCode: 0 })
