import type { DeclaredStorage } from './declared.js'
import { durableObject } from './durable-object.js'
import { indexeddb } from './indexeddb.js'
import { lightningFs } from './lightning-fs.js'
import { memfs } from './memfs.js'
import { memory } from './memory.js'
import { mounts } from './mounts.js'
import { node } from './node.js'
import { opfs } from './opfs.js'
import { overlay } from './overlay.js'
import { plainMounts } from './plain-mounts.js'
import { webcontainer } from './webcontainer.js'

/** All storages, in the order of the tables. */
export const DECLARED: readonly DeclaredStorage[] = [
  memory,
  node,
  memfs,
  lightningFs,
  indexeddb,
  opfs,
  webcontainer,
  durableObject,
  overlay,
  mounts,
  plainMounts,
]
