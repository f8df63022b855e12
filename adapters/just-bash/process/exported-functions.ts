import type { CommandResult, Context } from '../library-types.js'

/** `export -f name ...`: the functions are there in `bash -c` and in scripts too. Undefined: it is another form. */
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

/** What a script that a command runs has of the shell around it. */
export function inheritFunctions(context: Context, caller: Context | undefined): void {
  for (const name of caller?.place.exported ?? []) {
    const body = caller?.state.functions.get(name)
    if (!body) continue
    context.state.functions.set(name, body)
    context.place.exported.add(name)
  }
}
