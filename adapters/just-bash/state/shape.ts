import { InputError } from '../../../src/errors/index.js'
import type { ShellState } from '../../../src/types/shell.js'
import type { FunctionDefNode } from '../library-types.js'

/** Stored attributes of variables, by the names of the library's sets. */
export const ATTRIBUTES = [
  'associativeArrays',
  'namerefs',
  'boundNamerefs',
  'invalidNamerefs',
  'integerVars',
  'lowercaseVars',
  'uppercaseVars',
  'declaredVars',
] as const
export type Attribute = (typeof ATTRIBUTES)[number]

type Pairs<T> = readonly (readonly [string, T])[]

/** The stored state of a virtual shell. */
export interface StateParts {
  readonly shell: 'just-bash'
  readonly version: 1
  /** Variables that are not exported, or that the environment cannot hold (invalid UTF-8). Includes aliases. */
  readonly variables: Pairs<string>
  readonly arrays: Pairs<{ readonly kind: 'indexed' | 'associative'; readonly elements: Pairs<string> }>
  readonly attributes: Readonly<Partial<Record<Attribute, readonly string[]>>>
  /** Functions by name, as syntax trees. */
  readonly functions: Pairs<FunctionDefNode>
  /** Enabled options. */
  readonly options: readonly string[]
  readonly shopt: Pairs<boolean>
  readonly directories: readonly string[]
}

/** @throws {InputError} for a state from another source */
export function checkedState(state: ShellState): StateParts {
  const parts = state as Readonly<Record<keyof StateParts, unknown>>
  const isOurs = parts.shell === 'just-bash' && parts.version === 1
  if (!isOurs)
    throw new InputError('invalid_input', 'The state is of another shell: begin without one.', {
      issues: [{ path: '/state', message: 'not of just-bash' }],
    })
  const sound =
    isPairs(parts.variables, isText) &&
    isPairs(parts.arrays, isArrayValue) &&
    isAttributes(parts.attributes) &&
    isPairs(parts.functions, isFunction) &&
    isList(parts.options, isText) &&
    isPairs(parts.shopt, (value) => typeof value === 'boolean') &&
    isList(parts.directories, isText)
  if (!sound) throw damagedState()
  return state as unknown as StateParts
}

export function damagedState(): InputError {
  const issues = [{ path: '/state', message: 'damaged' }]
  return new InputError('invalid_input', 'The state of the shell is damaged: begin without one.', { issues })
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isList = (value: unknown, isItem: (item: unknown) => boolean): boolean => Array.isArray(value) && value.every(isItem)

const isPairs = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  isList(value, (pair) => Array.isArray(pair) && pair.length === 2 && isText(pair[0]) && isItem(pair[1]))

const isArrayValue = (value: unknown): boolean =>
  isRecord(value) && (value.kind === 'indexed' || value.kind === 'associative') && isPairs(value.elements, isText)

const isAttributes = (value: unknown): boolean =>
  isRecord(value) &&
  Object.entries(value).every(([name, names]) => (ATTRIBUTES as readonly string[]).includes(name) && isList(names, isText))

const isFunction = (value: unknown): boolean =>
  isRecord(value) &&
  value.type === 'FunctionDef' &&
  isText(value.name) &&
  isRecord(value.body) &&
  isText(value.body.type) &&
  Array.isArray(value.redirections)
