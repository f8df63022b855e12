// @module-tag background
import { describe } from 'vitest'
import { backgroundCases } from './background-cases.js'
import { virtualBench } from './shell-bench.js'

describe('background sessions on the virtual shell', () => backgroundCases(virtualBench))
