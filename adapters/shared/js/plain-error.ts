import { codePointBoundary } from '../../../src/ops/utf8.js'

/** Maximum number of characters of an error message. */
const MAX_MESSAGE = 64 * 1024

/** Converts an error to plain data that can be sent to a program. `…` at the end of the message marks text that was cut. */
export function plainError(error: unknown): { readonly name: string; readonly message: string; readonly code?: string } {
  if (!(error instanceof Error)) return { name: 'Error', message: shortened(String(error)) }
  const { code } = error as { readonly code?: unknown }
  return { name: error.name, message: shortened(error.message), ...(typeof code === 'string' && { code }) }
}

const shortened = (text: string): string => (text.length <= MAX_MESSAGE ? text : `${text.slice(0, codePointBoundary(text, MAX_MESSAGE))}…`)
