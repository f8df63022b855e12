import { HttpError } from '../http/errors.js'

/**
 * Calls a Durable Object and maps failures to 503: an object that moves, restarts or is overloaded fails for a moment.
 *
 * @throws {HttpError} unavailable
 */
export async function ask<T>(question: () => Promise<T>, hint: string): Promise<T> {
  try {
    return await question()
  } catch (error) {
    console.error(error)
    throw new HttpError(503, 'unavailable', 'The workspace cannot be reached just now', { hint, headers: { 'retry-after': '1' } })
  }
}
