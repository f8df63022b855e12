import { customToolCases } from './custom-cases.js'

customToolCases()
