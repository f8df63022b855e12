// @module-tag custom-tools
import { customToolCases } from './custom-cases.js'

customToolCases()
