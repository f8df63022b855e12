// @module-tag bash
import { createRuntime } from 'toolport'
import { describe } from 'vitest'
import { bashCases, bashStateCases } from './bash-cases.js'
import { benchOver } from './harness.js'
import { realShellBenches } from './real-shell.js'
import { type ShellBenchOptions, shellBenchTools } from './shell-bench.js'

const nodeBench = realShellBenches((ports, options: ShellBenchOptions = {}) =>
  benchOver(createRuntime({ ...options, ...ports, tools: shellBenchTools() })),
)

describe('bash on the real shell', () => {
  bashCases(nodeBench)
  bashStateCases(nodeBench)
})
