// @module-tag loaf
import { quickJsLoafCases } from './loaf-js-quickjs-cases.js'

quickJsLoafCases()
