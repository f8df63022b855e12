import { quickJsToolCases } from './js-quickjs-cases.js'

quickJsToolCases()
