import { hasLoneSurrogate } from '../../ops/utf8.js'
import { type Args, booleanOf, numberOf, type Refuse, stringOf } from '../shared/seed-schema.js'

export const filePath = { type: 'string', minLength: 1, description: 'Path to the file relative to project root' } as const

export function readPath(args: Args, refuse: Refuse): string {
  const path = requiredString(args, 'file_path', refuse)
  if (args.file_path === '') refuse('file_path', 'must not be empty')
  return path
}

/** Reads text to write to a file or to search for in a file. */
export function readContent(args: Args, name: string, refuse: Refuse): string {
  const text = requiredString(args, name, refuse)
  if (hasLoneSurrogate(text)) refuse(name, 'must not contain half a character (a lone surrogate): UTF-8 cannot hold it')
  return text
}

function requiredString(args: Args, name: string, refuse: Refuse): string {
  const value = stringOf(args, name)
  if (value === undefined) refuse(name, isAbsent(args, name) ? 'is required' : 'must be a string')
  return value ?? ''
}

/** Reads a positive integer; undefined if the field is absent, null, zero or negative. */
export function readCount(args: Args, name: string, refuse: Refuse): number | undefined {
  const value = numberOf(args, name)
  if (isAbsent(args, name)) return undefined
  if (!Number.isInteger(value)) refuse(name, 'must be a whole number')
  return value === undefined || value <= 0 ? undefined : value
}

export function readFlag(args: Args, name: string, refuse: Refuse): boolean {
  const value = booleanOf(args, name)
  if (value === undefined && !isAbsent(args, name)) refuse(name, 'must be true or false')
  return value ?? false
}

const isAbsent = (args: Args, name: string): boolean => !Object.hasOwn(args, name) || args[name] === undefined || args[name] === null
