// @module-tag branches
import { createOverlayFs, type FsAdapter } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, it } from 'vitest'
import { fsContract } from '../contract/index.js'
import { contractOf } from '../storages/declared/declared.js'
import { overlay } from '../storages/declared/overlay.js'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'l', 'new', 'x', 'dir', 'link', 'sub']

/** An overlay whose lower storage has every name that the cases use, as a file, a symlink or a full directory. All are removed above. */
async function overFullStorage(): Promise<FsAdapter> {
  const lower = createMemoryFs()
  for (const [i, name] of NAMES.entries()) {
    if (i % 3 === 0) await lower.write(`/${name}`, Uint8Array.of(1, 2, 3))
    else if (i % 3 === 1) await lower.symlink('a', `/${name}`)
    else await lower.mkdir(`/${name}`)
    for (const below of i % 3 === 2 ? NAMES : []) await lower.write(`/${name}/${below}`, Uint8Array.of(i))
  }
  const fs = createOverlayFs({ lower })
  for (const { name } of await lower.readdir('/')) await fs.rmTree(`/${name}`)
  return fs
}

fsContract({ describe, it }, { ...contractOf(overlay), create: () => createOverlayFs({ lower: createMemoryFs() }) })
fsContract({ describe, it }, { ...contractOf(overlay), name: 'overlay that hides what is below', create: overFullStorage })
