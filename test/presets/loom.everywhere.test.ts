// @module-tag loom
import { loomCases } from './loom-cases.js'
import { tableOptions, tablePreset } from './loom-setting.js'
import { memory } from './storages.js'
import { presetTable } from './table.js'

presetTable('loom in memory', loomCases, { preset: tablePreset, open: memory, options: tableOptions })
