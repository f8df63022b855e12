import { UsageError } from './options.js'

/**
 * Returns the token in an environment variable, without surrounding white space; undefined if the variable is not set.
 * @throws {UsageError} for a token that a client cannot send as `Authorization: Bearer` (RFC 6750)
 */
export function tokenIn(environment: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const token = environment[name]?.trim()
  if (token === undefined || /^[\w.~+/-]+=*$/.test(token)) return token
  throw new UsageError(
    `Cannot use the token in ${name}: ${token === '' ? 'it is empty' : 'it contains other characters'}. Use letters, digits and - . _ ~ + /, and = at the end`,
  )
}
