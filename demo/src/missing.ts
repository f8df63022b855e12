/** For what may be gone by now, which is no failure then. @throws every other error */
export function ignoreMissing(error: unknown): undefined {
  const { code } = error as { readonly code?: unknown }
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
}
