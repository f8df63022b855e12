// @module-tag same-bytes
import { describe, expect, it } from 'vitest'
import { EVERYWHERE } from '../everywhere.js'
import { callsIn, expectSame, SCRIPT } from './differential.js'

describe('one script of calls gives the same bytes on every storage', () => {
  it('has at least 300 calls without special needs, for every tool', () => {
    const common = SCRIPT.filter(({ needs }) => needs.length === 0)
    expect(callsIn(common)).toBeGreaterThanOrEqual(300)
    const names = new Set(common.flatMap(({ calls }) => calls.map(({ name }) => name)))
    const tools = [
      'list_checkpoints',
      'diff_checkpoint',
      'restore_checkpoint',
      'read_file',
      'write_file',
      'edit_file',
      'apply_patch',
      'list_files',
      'glob',
      'grep',
      'move_file',
      'delete_file',
      'bash',
    ]
    expect([...names]).toEqual(expect.arrayContaining(tools))
  })

  it.each(Object.entries(EVERYWHERE))('%s', (_, create) => expectSame(create()))
})
