// @module-tag bundle
import { bundlerCases } from './bundler-cases.js'

bundlerCases(undefined)
