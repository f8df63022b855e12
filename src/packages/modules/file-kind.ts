import { parentPath } from '../../workspace/paths.js'
import type { Disk } from './disk.js'
import type { ModuleKind } from './types.js'

const BY_EXTENSION: Readonly<Record<string, ModuleKind>> = {
  '.mjs': 'module',
  '.mts': 'module',
  '.cjs': 'commonjs',
  '.cts': 'commonjs',
  '.json': 'json',
}
const BY_PACKAGE = new Set(['', '.js', '.ts', '.jsx', '.tsx'])

export function extensionOf(path: string): string {
  return /[^/](\.[^./]*)$/.exec(path)?.[1] ?? ''
}

/** Whether `import` accepts the file. `require` accepts every file. */
export function isImportable(path: string): boolean {
  const extension = extensionOf(path)
  return extension !== '.jsx' && extension !== '.tsx' && (BY_PACKAGE.has(extension) || Object.hasOwn(BY_EXTENSION, extension))
}

/**
 * Returns the kind of a file by its extension and package. Undefined: the source text decides. @throws {Unresolved} for an invalid
 * package.json
 */
export async function declaredKind(disk: Disk, path: string): Promise<ModuleKind | undefined> {
  const extension = extensionOf(path)
  if (Object.hasOwn(BY_EXTENSION, extension)) return BY_EXTENSION[extension]
  return BY_PACKAGE.has(extension) ? (await disk.scope(parentPath(path)))?.type : 'commonjs'
}
