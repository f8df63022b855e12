// @module-tag loaf
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { loaf } from 'toolport/presets/loaf'
import { loafBashCases } from './loaf-bash-cases.js'
import { loafCases } from './loaf-cases.js'
import { memory } from './storages.js'
import { presetTable } from './table.js'

const shell = createJustBashShell({ scratch: createMemoryFs() })

presetTable('loaf', [...loafCases, ...loafBashCases], { preset: loaf, open: memory, options: { shell } })
