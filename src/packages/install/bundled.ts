import { decodeUtf8 } from '../../ops/utf8.js'
import { fromLock, type PackageEntry } from './entry.js'
import { namesOf } from './lockfile.js'
import type { Unpacked } from './unpack.js'

const MANIFEST = '/package.json'

/** The packages that a tarball brings along in its own node_modules, by the paths that they will have. */
export function bundledIn(folder: string, { files }: Unpacked): Map<string, PackageEntry> {
  const bundled = new Map<string, PackageEntry>()
  for (const [path, { bytes }] of files) {
    if (!path.startsWith('node_modules/') || !path.endsWith(MANIFEST)) continue
    const at = path.slice(0, -MANIFEST.length)
    const name = namesOf(at)?.at(-1)
    const entry = name === undefined || (name.includes('/') && !name.startsWith('@')) ? undefined : fromLock(name, jsonOf(bytes))
    if (entry) bundled.set(`${folder}/${at}`, entry)
  }
  return bundled
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes) ?? '')
  } catch {
    return undefined
  }
}
