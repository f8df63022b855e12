import type { FileQuestion } from './operations.js'

export interface Question extends FileQuestion {
  /** What error messages say was tried. */
  readonly syscall: string
  /** The paths as they were given. */
  readonly as?: string
  readonly toAs?: string
}

type Type = 'string' | 'boolean' | 'integer' | 'offset' | 'number'

const TYPES: Readonly<Record<keyof Question, Type>> = {
  op: 'string',
  path: 'string',
  to: 'string',
  flag: 'string',
  recursive: 'boolean',
  force: 'boolean',
  mode: 'number',
  length: 'integer',
  position: 'offset',
  nofollow: 'boolean',
  mtimeMs: 'number',
  target: 'string',
  exclusive: 'boolean',
  syscall: 'string',
  as: 'string',
  toAs: 'string',
}
const NEEDED = ['op', 'path', 'syscall'] as const

/** A program may have changed what asks: what is counted has to be what it says that it is. @throws {TypeError} */
export function questionOf(given: unknown): Question {
  const question = (typeof given === 'object' && given !== null ? given : {}) as Partial<Record<string, unknown>>
  const needed = NEEDED.find((name) => question[name] === undefined)
  if (needed !== undefined) throw new TypeError(`The question about a file has no "${needed}"`)
  for (const [name, type] of Object.entries(TYPES)) {
    const value = question[name]
    if (value !== undefined && !is(value, type)) throw new TypeError(`The "${name}" of a question about a file must be of type ${type}`)
  }
  return question as unknown as Question
}

function is(value: unknown, type: Type): boolean {
  if (type === 'offset') return Number.isSafeInteger(value) && (value as number) >= 0
  return type === 'integer' ? Number.isSafeInteger(value) : typeof value === type
}
