// @module-tag zeroclaw
import { memory } from './storages.js'
import { presetTable } from './table.js'
import { zeroclawCases } from './zeroclaw-cases.js'
import { zeroclawSetting } from './zeroclaw-setting.js'

presetTable('zeroclaw', zeroclawCases, { ...zeroclawSetting, open: memory })
