// @module-tag loom-elixir
import { loomElixir } from 'toolport/presets/loom-elixir'
import { directory } from './directory.js'
import { loomElixirCases } from './loom-elixir-cases.js'
import { presetTable } from './table.js'

presetTable('loom-elixir over a real directory', loomElixirCases, { preset: loomElixir, open: directory })
