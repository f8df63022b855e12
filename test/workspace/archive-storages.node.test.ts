// @module-tag archives
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNodeFs } from 'toolport/adapters/node'
import { it, onTestFinished } from 'vitest'
import { sameSnapshot, takenBack } from './archive-storages.js'

function nodeFs(): ReturnType<typeof createNodeFs> {
  const root = mkdtempSync(join(tmpdir(), 'toolport-archive-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return createNodeFs({ root })
}

it('a snapshot of a directory has the pinned bytes', () => sameSnapshot(nodeFs))
it('a failed import leaves nothing in a directory', () => takenBack(nodeFs))
