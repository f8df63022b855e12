// @module-tag directory
// Runs the contract in a directory on a disk. In the default tier, the directory may be on a RAM disk.
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import './node.node.test.js'

it('deep tests keep temporary files on the disk, not in /dev/shm', () => expect(tmpdir()).not.toBe('/dev/shm'))
