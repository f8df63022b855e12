import type { FsAdapter } from '../../types/fs.js'
import type { MountOptions, Mounts } from '../../types/workspace.js'
import { isReserved } from '../checkpoints/engine.js'
import { parsePath } from '../parse-path.js'
import { relativePath } from '../paths.js'
import type { Mount } from './mount-table.js'

/**
 * @param root virtual path of the root storage: keys are paths below it, or relative to it
 * @throws {TypeError} with the setting to change
 */
export function parseMounts(fs: FsAdapter, mounts: Mounts, root: string): Mount[] {
  const storages = new Map<FsAdapter, string>([[fs, 'the root']])
  const points = new Map<string, string>()
  return Object.entries(mounts).map(([key, given]) => {
    const at = pointOf(key, root)
    const { fs: storage, readOnly = false } = optionsOf(key, given)
    const label = relativePath(at, '/')
    const twice = points.get(at)
    if (twice !== undefined) throw refusal(key, `"${twice}" is the same path: remove one of the two`)
    points.set(at, key)
    const other = storages.get(storage)
    if (other !== undefined) throw refusal(key, `${other} already uses this storage: create another one`)
    storages.set(storage, `the mount "${key}"`)
    return { at, label, fs: storage, readOnly }
  })
}

/** Converts a key of `mounts` to an adapter path in the combination. */
function pointOf(key: string, root: string): string {
  if (key.split('/').some((name) => name === '.' || name === '..')) throw refusal(key, 'write the path without "." and ".."')
  let path: string
  try {
    path = parsePath(key, { root, cwd: root, backslash: 'refuse' }).path
  } catch (error) {
    throw refusal(key, `it must be a path below the root "${root}" (${error instanceof Error ? error.message : String(error)})`)
  }
  if (path === root) throw refusal(key, 'it is the root: pass that storage as "fs"')
  const at = `/${relativePath(path, root)}`
  if (isReserved(at, false)) throw refusal(key, 'the name is reserved for checkpoints: choose another')
  return at
}

function optionsOf(key: string, given: FsAdapter | MountOptions): MountOptions {
  const options = typeof given === 'object' && given !== null && 'fs' in given ? given : { fs: given }
  const { fs, readOnly } = options
  if (typeof fs !== 'object' || fs === null || typeof fs.lstat !== 'function') {
    throw refusal(key, 'pass a storage, or { fs, readOnly } with one')
  }
  if (readOnly !== undefined && typeof readOnly !== 'boolean') throw refusal(key, `"readOnly" is true or false, not ${typeof readOnly}`)
  return options
}

function refusal(key: string, why: string): TypeError {
  return new TypeError(`Cannot mount a storage at "${key}": ${why}`)
}
