/** Ignores the error of a missing file. @throws every other error */
export function ignoreMissing(error: unknown): undefined {
  const { code } = error as { readonly code?: unknown }
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
}
