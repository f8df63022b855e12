// @module-tag directory
// The contract of a directory on a disk: in the default tier it may lie in memory.
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import './node.node.test.js'

it('lies where the system keeps temporary files', () => expect(tmpdir()).not.toBe('/dev/shm'))
