/** Maximum number of characters of an error message. */
const MAX_MESSAGE = 64 * 1024

/** Converts an error to plain data that can be sent to a program. */
export function plainError(error: unknown): { readonly name: string; readonly message: string; readonly code?: string } {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { code } = error as { readonly code?: unknown }
  return { name: error.name, message: error.message.slice(0, MAX_MESSAGE), ...(typeof code === 'string' && { code }) }
}
