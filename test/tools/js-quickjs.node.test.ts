// @module-tag run-js
import { quickJsToolCases } from './js-quickjs-cases.js'

quickJsToolCases()
