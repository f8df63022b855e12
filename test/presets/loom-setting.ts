import type { Preset } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { loom } from 'toolport/presets/loom'
import { model, network, PROXY_KEY } from './loom-cases.js'
import type { TableSetting } from './table.js'

/** The preset with one attempt per request, because the table's clock stands still and a wait between attempts would never end. */
export const tablePreset = (): Preset =>
  loom({ webSearch: { baseUrl: 'http://proxy.test/', headers: { authorization: PROXY_KEY }, retry: { attempts: 1 } } })

export const tableOptions: TableSetting['options'] = {
  shell: createJustBashShell({ scratch: createMemoryFs() }),
  fetch: network,
  model,
}
