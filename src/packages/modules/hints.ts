import { baseName, parentPath } from '../../workspace/paths.js'
import type { Importer, Lookup } from './lookup.js'
import { joined } from './specifiers.js'
import { Unresolved } from './unresolved.js'

const ENDINGS = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json']
const INDEXES = ['/index.js', '/index.mjs', '/index.cjs', '/index.ts', '/index.mts', '/index.json']
const NAMED = 12

/** Returns ` Did you mean ...` for a missing path. Empty if there is no similar path. */
export async function suggestion({ disk }: Lookup, path: string, specifier: string, importer: Importer): Promise<string> {
  const bare = path.replace(/(.)\/$/, '$1')
  const stem = bare.replace(/\.[cm]?[jt]sx?$/, '')
  const candidates = [
    ...ENDINGS.map((ending) => bare + ending),
    ...(stem === bare ? [] : ENDINGS.map((ending) => stem + ending)),
    ...INDEXES.map((index) => bare + index),
    ...(await otherCase(disk, bare)),
  ]
  for (const candidate of candidates) {
    if (candidate === importer.path || (await disk.kindOf(candidate)) !== 'file') continue
    return `\nDid you mean to import "${asWritten(candidate, specifier, importer.folder)}"?`
  }
  return ''
}

/** Lists the tried paths, with the reason for each path that could not be looked up. */
export function lookedFor({ disk }: Lookup, paths: readonly string[]): string {
  const names = paths.slice(0, NAMED).map((path) => {
    const refusal = disk.refusal(path)
    return refusal === undefined ? path : `${path} (${refusal})`
  })
  const more = paths.length > NAMED ? `, and ${paths.length - NAMED} more` : ''
  return names.length > 0 ? `\nLooked for: ${names.join(', ')}${more}` : ''
}

export async function noPackage(
  lookup: Lookup,
  name: string,
  specifier: string,
  importer: Importer,
  tried: readonly string[],
): Promise<Unresolved> {
  const near = await suggestion(lookup, joined(importer.folder, specifier), `./${specifier}`, importer)
  const own = near === '' && (await lookup.disk.kindOf(joined(importer.folder, specifier))) === 'file'
  const advice = own ? `\nDid you mean to import "./${specifier}"?` : near
  return new Unresolved(
    'ERR_MODULE_NOT_FOUND',
    `Cannot find package '${name}' imported from ${importer.path}${advice || '\nIt is not installed: install it, or import something else.'}${lookedFor(lookup, tried)}`,
  )
}

/** Finds the same name in another case: `./Util.js` for `./util.js`. */
async function otherCase(disk: Lookup['disk'], path: string): Promise<string[]> {
  const folder = parentPath(path)
  const wanted = baseName(path).toLowerCase()
  const same = (await disk.names(folder)).filter((name) => {
    const lower = name.toLowerCase()
    return lower === wanted || ENDINGS.some((ending) => lower === wanted + ending)
  })
  return same.map((name) => joined(folder, name))
}

/** Returns a path as the importer would write it, relative to the importer's folder. */
function asWritten(path: string, specifier: string, folder: string): string {
  if (specifier.startsWith('/')) return path
  const from = folder.split('/').filter(Boolean)
  const to = path.split('/').filter(Boolean)
  let shared = 0
  while (shared < from.length && from[shared] === to[shared]) shared++
  const up = '../'.repeat(from.length - shared)
  return `${up || './'}${to.slice(shared).join('/')}`
}
