// @module-tag quickjs
import { webCases } from './quickjs-web-cases.js'

webCases({ worker: false })
