// @module-tag loom
import { directory } from './directory.js'
import { loomCases } from './loom-cases.js'
import { tableOptions, tablePreset } from './loom-setting.js'
import { presetTable } from './table.js'

presetTable('loom over a real directory', loomCases, { preset: tablePreset, open: directory, options: tableOptions })
