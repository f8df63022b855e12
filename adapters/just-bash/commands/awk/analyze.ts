import { Failure } from '../shared/failure.js'
import { ARRAY_ARGS, type AwkProgram, type Expr, type FunctionDef, type Rule, type Stmt } from './syntax.js'

type Any = Expr | Stmt | Rule | FunctionDef

/** What the compiler needs to know about a program. */
export interface Analysis {
  /** Functions that may run long or wait for I/O. */
  readonly waiting: ReadonlySet<string>
  /** Names of arrays: `name`, or `function/name` for a parameter. */
  readonly arrays: ReadonlySet<string>
}

/** Variables of gawk that change the behaviour of programs. They are not supported here. The values name alternatives. */
const MISSING: Readonly<Record<string, string>> = {
  FIELDWIDTHS: 'use substr',
  IGNORECASE: 'use tolower, or grep -i',
  RT: 'use match, or split with its fourth argument',
}

/** @throws {Failure} with status 2 if the variable is unsupported */
export function refuseMissing(name: string): void {
  if (Object.hasOwn(MISSING, name)) throw new Failure(`${name} is not supported in this shell: ${MISSING[name]}`, 2)
}

/** @throws {Failure} with status 2 for unsupported features */
export function analyze(program: AwkProgram): Analysis {
  for (const node of nodesIn([program.rules, ...program.functions.values()])) {
    if (node.kind === 'name') refuseMissing(node.name)
    if (node.kind === 'name' && (node.name === 'BEGINFILE' || node.name === 'ENDFILE'))
      throw new Failure(`${node.name} is not supported in this shell: use FNR == 1, or run awk once per file`, 2)
    if ('array' in node && node.array === 'PROCINFO' && !isSortedIn(node))
      throw new Failure('PROCINFO is not supported in this shell, except PROCINFO["sorted_in"]', 2)
  }
  return { waiting: waitingFunctions(program), arrays: arrayNames(program) }
}

function isSortedIn(node: Any): boolean {
  const [key] = 'keys' in node ? (node.keys ?? []) : []
  return key?.kind === 'string' && key.value === 'sorted_in'
}

/** Yields every expression and statement in a part of a program. */
function* nodesIn(value: unknown): Generator<Expr | Stmt> {
  // Not recursive, because a sum of many terms nests as deeply as it is long.
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    if ('kind' in next) yield next as Expr | Stmt
    for (const child of Object.values(next)) waiting.push(child)
  }
}

function waitingFunctions({ functions }: AwkProgram): ReadonlySet<string> {
  const calls = new Map<string, Set<string>>()
  const waiting = new Set<string>()
  for (const { name, body } of functions.values()) {
    const called = new Set<string>()
    for (const node of nodesIn(body)) {
      if (node.kind === 'call') called.add(node.name)
      if (mayWait(node)) waiting.add(name)
    }
    calls.set(name, called)
  }
  // A function that calls itself, directly or indirectly, may run long.
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean => {
    for (const called of calls.get(from) ?? []) {
      if (called === to) return true
      if (seen.has(called)) continue
      seen.add(called)
      if (reaches(called, to, seen)) return true
    }
    return false
  }
  for (const name of calls.keys()) if (reaches(name, name)) waiting.add(name)
  for (let grown = true; grown; ) {
    grown = false
    for (const [name, called] of calls) {
      if (waiting.has(name) || ![...called].some((each) => waiting.has(each))) continue
      waiting.add(name)
      grown = true
    }
  }
  return waiting
}

function mayWait(node: Expr | Stmt): boolean {
  const { kind } = node
  if (kind === 'while' || kind === 'do' || kind === 'for' || kind === 'forIn' || kind === 'getline') return true
  return kind === 'builtin' && (node.name === 'system' || node.name === 'close')
}

function arrayNames({ rules, functions }: AwkProgram): ReadonlySet<string> {
  const arrays = new Set<string>(['ENVIRON', 'ARGV'])
  const scopes: { readonly params: readonly string[]; readonly name: string; readonly part: Any }[] = [
    ...rules.map((part) => ({ params: [], name: '', part })),
    ...[...functions.values()].map((part) => ({ params: part.params, name: part.name, part })),
  ]
  for (let before = -1; arrays.size !== before; ) {
    before = arrays.size
    for (const { params, name, part } of scopes) {
      const key = (variable: string): string => (params.includes(variable) ? `${name}/${variable}` : variable)
      for (const node of nodesIn(part)) {
        if (node.kind === 'index' || node.kind === 'in' || node.kind === 'forIn' || node.kind === 'delete') arrays.add(key(node.array))
        if (node.kind === 'builtin') {
          for (const i of ARRAY_ARGS[node.name] ?? []) {
            const arg = node.args[i]
            if (arg?.kind === 'name') arrays.add(key(arg.name))
          }
          const [only] = node.args
          if (node.name === 'length' && only?.kind === 'name' && arrays.has(key(only.name))) arrays.add(key(only.name))
        }
        if (node.kind !== 'call') continue
        const callee = functions.get(node.name)
        node.args.forEach((arg, i) => {
          const param = callee?.params[i]
          if (arg.kind !== 'name' || param === undefined) return
          // Propagate in both directions: a parameter and its argument are either both arrays or both scalars.
          if (arrays.has(`${node.name}/${param}`)) arrays.add(key(arg.name))
          if (arrays.has(key(arg.name))) arrays.add(`${node.name}/${param}`)
        })
      }
    }
  }
  return arrays
}
