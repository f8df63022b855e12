export { DurationError } from './duration-error.ts'
export { type FormatOptions, formatDuration } from './format.ts'
export { parseDuration } from './parse.ts'
