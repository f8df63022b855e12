// @module-tag zeroclaw
import { directory } from './directory.js'
import { presetTable } from './table.js'
import { zeroclawCases } from './zeroclaw-cases.js'
import { zeroclawSetting } from './zeroclaw-setting.js'

presetTable('zeroclaw in a directory', zeroclawCases, { ...zeroclawSetting, open: directory })
