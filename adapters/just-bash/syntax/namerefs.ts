// What `declare -n ref=name` names, where the library takes `ref` for a variable of its own. Built into the library (patches/lists.patch).

type Target = (name: string) => string

type Operand = Readonly<{ type: string; array?: string; variable?: string; name?: string; stringKey?: string; operand?: Operand }>

/** A node of arithmetic that reads or writes what its name refers to. */
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

/** `array[key]` in two. */
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

/** The arguments of a builtin, each variable by the name that it refers to. */
export function targetArguments(builtin: string, args: readonly string[], target: Target): readonly string[] {
  const withValue = WRITING.get(builtin)
  if (withValue === undefined || (builtin === 'unset' && /^-[fn]/.test(args[0] ?? ''))) return args
  let isValue = false
  return args.map((arg, index) => {
    const isName = !isValue && !arg.startsWith('-') && (builtin !== 'getopts' || index === 1)
    isValue = !isValue && /^-\w/.test(arg) && withValue.includes(arg.at(-1) ?? '-')
    return isName ? arg.replace(/^[a-zA-Z_]\w*/, (name) => target(name)) : arg
  })
}
