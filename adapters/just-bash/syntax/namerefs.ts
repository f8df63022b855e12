// Resolves `declare -n ref=name` where the library treats `ref` as an ordinary variable. Built into the library (patches/lists.patch).

type Target = (name: string) => string

type Operand = Readonly<{ type: string; array?: string; variable?: string; name?: string; stringKey?: string; operand?: Operand }>

/** Redirects an arithmetic node to the target of its nameref. */
export function withTarget(node: Operand, target: Target): Operand {
  if (node.array !== undefined) return { ...node, array: target(node.array) }
  if (node.variable !== undefined) {
    const [variable, stringKey] = partsOf(target(node.variable))
    return { ...node, variable, ...(stringKey !== undefined && { stringKey }) }
  }
  const step = node.type === 'ArithUnary' ? node.operand : undefined
  if (step?.type === 'ArithArrayElement') return { ...node, operand: withTarget(step, target) }
  if (step?.type !== 'ArithVariable') return node
  const [name, stringKey] = partsOf(target(step.name ?? ''))
  return { ...node, operand: stringKey === undefined ? { ...step, name } : { type: 'ArithArrayElement', array: name, stringKey } }
}

/** Splits `array[key]` into name and key. */
function partsOf(target: string): readonly [string, string?] {
  const bracket = target.indexOf('[')
  return bracket < 0 ? [target] : [target.slice(0, bracket), target.slice(bracket + 1, -1)]
}

/** Builtins that write to the variables of their arguments, and their options that take a value. */
const WRITING = new Map([
  ['export', ''],
  ['getopts', ''],
  ['mapfile', 'dnOsuCc'],
  ['read', 'dinNptu'],
  ['readarray', 'dnOsuCc'],
  ['unset', ''],
])

/** Tells for each argument whether it is the name of a variable. */
function areNames(builtin: string, args: readonly string[]): readonly boolean[] {
  if (builtin === 'printf') return args.map((_, index) => index === 1 && args[0] === '-v')
  const withValue = WRITING.get(builtin)
  if (withValue === undefined || (builtin === 'unset' && /^-[fn]/.test(args[0] ?? ''))) return []
  let isValue = false
  return args.map((arg, index) => {
    const isName = !isValue && /^[a-zA-Z_]/.test(arg) && (builtin !== 'getopts' || index === 1)
    isValue = !isValue && /^-\w/.test(arg) && withValue.includes(arg.at(-1) ?? '-')
    return isName
  })
}

/** Replaces namerefs in a builtin's arguments with their targets. */
export function targetArguments(builtin: string, args: readonly string[], target: Target): readonly string[] {
  const names = areNames(builtin, args)
  return args.map((arg, index) => (names[index] ? arg.replace(/^[a-zA-Z_]\w*/, (name) => target(name)) : arg))
}

/** Returns the names of the variables that a builtin has written. */
export function writtenNames(builtin: string, args: readonly string[]): readonly string[] {
  const names = areNames(builtin, args)
  return args.filter((_, index) => names[index])
}
