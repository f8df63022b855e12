import { createDisk } from '../../../src/packages/modules/disk.js'
import { declaredKind } from '../../../src/packages/modules/file-kind.js'
import { DEFAULT_CONDITIONS } from '../../../src/packages/modules/index.js'
import { type Lexers, lexers } from '../../../src/packages/modules/lexers.js'
import { createResolver } from '../../../src/packages/modules/resolver.js'
import { readSource, type Source } from '../../../src/packages/modules/source.js'
import type { Workspace } from '../../../src/types/workspace.js'
import type { Stripped } from './task.js'
import { isTypeScript, stripTypes } from './typescript.js'

type Kind = 'module' | 'commonjs'

/** The JavaScript code of a program. */
export interface ProgramText {
  /** The program's virtual path. */
  readonly path: string
  readonly code: string
  readonly kind: Kind
}

export const MAX_SOURCE_BYTES: number = 32 * 1024 * 1024
/** The search ends after this many files. */
const MAX_FILES = 2000

interface Found {
  readonly path: string
  readonly source: Source
}

/**
 * Strips the types of all TypeScript files that a program imports or requires with literal specifiers, directly or indirectly. Returns the
 * results by full path in the container. Skips packages, because installed packages contain JavaScript.
 */
export async function findTypeScript(
  workspace: Workspace,
  program: ProgramText,
  toHost: (path: string) => string,
): Promise<Readonly<Record<string, Stripped>>> {
  const found: Record<string, Stripped> = {}
  const lexed = await lexers()
  const disk = createDisk(workspace)
  const resolver = createResolver(disk, { builtins: new Set(), conditions: DEFAULT_CONDITIONS })
  const seen = new Set([program.path])

  async function targets({ path, source }: Found): Promise<string[]> {
    const asked = [
      ...source.imports.map(({ specifier }) => resolver.resolve(specifier, path, 'import')),
      ...source.requires.map((specifier) => resolver.resolve(specifier, path, 'require')),
    ]
    return (await Promise.all(asked)).flatMap((resolution) => ('path' in resolution ? [resolution.path] : []))
  }

  async function read(path: string): Promise<Found[]> {
    try {
      const { text } = await workspace.readText(path, { maxBytes: MAX_SOURCE_BYTES })
      const declared = await declaredKind(disk, path)
      if (!isTypeScript(path)) return [{ path, source: readSource({ path, text, declared }, lexed) }]
      const { stripped, source } = await stripFile(path, text, declared === 'json' ? undefined : declared, lexed)
      found[toHost(path)] = stripped
      return source ? [{ path, source }] : []
    } catch {
      // Skip a file with errors, which Node reports.
      return []
    }
  }

  let level: Found[] = [
    { path: program.path, source: readSource({ path: program.path, text: program.code, declared: program.kind }, lexed) },
  ]
  while (level.length > 0 && seen.size < MAX_FILES) {
    const next = (await Promise.all(level.map(targets))).flat().filter((path) => !path.includes('/node_modules/') && !seen.has(path))
    const fresh = [...new Set(next)].slice(0, MAX_FILES - seen.size)
    for (const path of fresh) seen.add(path)
    level = (await Promise.all(fresh.map(read))).flat()
  }
  return found
}

/** Strips the types of a file. The module kind follows from `declared`, or else from the file's text. */
export async function stripFile(
  path: string,
  text: string,
  declared: Kind | undefined,
  lexed: Lexers,
): Promise<{ readonly stripped: Stripped; readonly source?: Source }> {
  try {
    const plain = await stripTypes(text, path, 'module')
    const source = readSource({ path, text: plain, declared }, lexed)
    const kind = source.kind === 'module' ? 'module' : 'commonjs'
    const code = kind === 'commonjs' ? await stripTypes(text, path, 'commonjs') : plain
    return { stripped: { kind, code }, source: readSource({ path, text: code, declared: kind }, lexed) }
  } catch (error) {
    return { stripped: { kind: declared ?? 'module', code: '', error: `${error instanceof Error ? error.message : error}` } }
  }
}
