// @module-tag runtime
import { shellSplitBashCases } from './shell-split-bash-cases.js'

shellSplitBashCases()
