import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNodeFs } from 'toolport/adapters/node'
import type { TableSetting } from './table.js'

/** A real directory, whose virtual root is `/workspace`, as for all storages. */
export const directory: TableSetting['open'] = async () => {
  const root = await mkdtemp(join(tmpdir(), 'toolport-preset-'))
  return { fs: createNodeFs({ root }), close: () => rm(root, { recursive: true, force: true }) }
}
