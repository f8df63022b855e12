/**
 * Checks an argument or an option that a call requires.
 *
 * @param what how the message names it: `the option "fs", an FsAdapter`
 * @param member a property that identifies the type of the value
 * @throws {TypeError} if the value is missing or has another type
 */
export function required<T>(call: string, what: string, value: T | null | undefined, member?: keyof T): T {
  if (value === undefined || value === null || (member !== undefined && value[member] === undefined))
    throw new TypeError(`${call} needs ${what}`)
  return value
}
