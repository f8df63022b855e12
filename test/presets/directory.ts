import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNodeFs } from 'toolport/adapters/node'
import type { TableSetting } from './table.js'

/** A real directory, which the workspace calls `/workspace` like every other. */
export const directory: TableSetting['open'] = async () => {
  const root = await mkdtemp(join(tmpdir(), 'toolport-preset-'))
  return { fs: createNodeFs({ root }), close: () => rm(root, { recursive: true, force: true }) }
}
