// @module-tag custom-tools
import { quickJsHere } from '../adapters/quickjs-here.js'
import { customToolCases } from './custom-cases.js'

customToolCases(await quickJsHere())
