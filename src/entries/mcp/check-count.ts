/** @throws {RangeError} unless `value` is a positive integer */
export function checkCount(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 1) return
  throw new RangeError(`Cannot create an MCP server: "${name}" must be a whole number from 1 up, not ${value}`)
}
