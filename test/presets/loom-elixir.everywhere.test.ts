// @module-tag loom-elixir
import { loomElixir } from 'toolport/presets/loom-elixir'
import { loomElixirCases } from './loom-elixir-cases.js'
import { memory } from './storages.js'
import { presetTable } from './table.js'

presetTable('loom-elixir over memory', loomElixirCases, { preset: loomElixir, open: memory })
