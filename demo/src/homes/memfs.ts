import { memfs } from 'memfs'
import type { FsAdapter } from 'toolport'
import { createMemfsFs } from 'toolport/adapters/memfs'

/** A volume of its own for each workspace. */
export const createMemfs = (): FsAdapter => createMemfsFs({ fs: memfs().fs })
