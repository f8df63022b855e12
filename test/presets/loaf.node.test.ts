// @module-tag loaf
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { loaf } from 'toolport/presets/loaf'
import { directory } from './directory.js'
import { loafBashCases } from './loaf-bash-cases.js'
import { loafCases } from './loaf-cases.js'
import { presetTable } from './table.js'

const shell = createJustBashShell({ scratch: createMemoryFs() })

presetTable('loaf over a real directory', [...loafCases, ...loafBashCases], { preset: loaf, open: directory, options: { shell } })
