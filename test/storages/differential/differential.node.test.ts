// @module-tag same-bytes
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNodeFs } from 'toolport/adapters/node'
import { describe, it, onTestFinished } from 'vitest'
import { expectSame } from './differential.js'

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'toolport-same-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

describe('one script of calls gives the same bytes on every storage in Node', () => {
  it('in a directory', () => expectSame(createNodeFs({ root: newDirectory() })))
})
