// @module-tag node-shell
import { it } from 'vitest'
import { nodeSessionContract } from './node-session-contract.js'
import { only } from './some-cases.js'

// Concurrent, because the cases mostly wait.
nodeSessionContract(true, it.concurrent)
nodeSessionContract(
  false,
  only(/^(lacks|every exception|terminal)|is on pipes|output arrives|kill: SIGTERM|ends cat|begins with it/, it.concurrent),
)
