/**
 * An argument or an option that a call cannot do without.
 *
 * @param what as the message names it: `the option "fs", an FsAdapter`
 * @param member one that tells what it is
 * @throws {TypeError} where it is not there, or is something else
 */
export function required<T>(call: string, what: string, value: T | null | undefined, member?: keyof T): T {
  if (value === undefined || value === null || (member !== undefined && value[member] === undefined))
    throw new TypeError(`${call} needs ${what}`)
  return value
}
