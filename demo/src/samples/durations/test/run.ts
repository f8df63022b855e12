import './parse.test.ts'
import './iso.test.ts'
import './format.test.ts'
import { runTests } from './suite.ts'

process.exitCode = runTests() ? 0 : 1
