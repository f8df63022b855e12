/** A text that is no duration. */
export class DurationError extends Error {
  constructor(text: string, why: string) {
    super(`"${text}" is no duration: ${why}`)
    this.name = 'DurationError'
  }
}
