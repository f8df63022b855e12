import { memfs } from 'memfs'
import type { FsAdapter } from 'toolport'
import { createMemfsFs } from 'toolport/adapters/memfs'

/** Creates a separate volume for each workspace. */
export const createMemfs = (): FsAdapter => createMemfsFs({ fs: memfs().fs })
