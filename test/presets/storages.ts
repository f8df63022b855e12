import { createMemoryFs } from 'toolport/adapters/memory'
import type { TableSetting } from './table.js'

export const memory: TableSetting['open'] = async () => ({ fs: createMemoryFs() })
