import { Refused } from './operations.js'

/** A tool input from the model, not validated. */
export type Fields = Readonly<Record<string, unknown>>

/** @throws Refused if the input is not an object */
export function fieldsOf(input: unknown): Fields {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as Fields
  throw new Refused('Error: The input must be an object')
}

/** @throws Refused if the field is missing or not a string */
export function textOf(input: Fields, name: string): string {
  const value = input[name]
  if (typeof value === 'string') return value
  throw new Refused(`Error: Parameter \`${name}\` ${value === undefined ? 'is required for this command' : 'must be a string'}`)
}

/** @throws Refused if the field is present but not a string */
export const optionalText = (input: Fields, name: string): string | undefined =>
  input[name] === undefined || input[name] === null ? undefined : textOf(input, name)

/** Returns the first and last line of `view_range`; `Infinity` means the end. Undefined: the whole file. @throws Refused */
export function rangeOf(input: Fields): { readonly first: number; readonly last: number } | undefined {
  const range = input.view_range
  if (range === undefined || range === null) return undefined
  if (!Array.isArray(range) || range.length !== 2 || !range.every((line) => Number.isInteger(line)))
    throw new Refused('Error: Invalid `view_range`. It should be a list of two integers.')
  const [first, last] = range as [number, number]
  if (first < 1) throw new Refused(`Error: Invalid \`view_range\`: [${first}, ${last}]. Its first line should be 1 or more.`)
  if (last !== -1 && last < first)
    throw new Refused(
      `Error: Invalid \`view_range\`: [${first}, ${last}]. Its last line should not be before its first; -1 stands for the end of the file.`,
    )
  return { first, last: last === -1 ? Infinity : last }
}
