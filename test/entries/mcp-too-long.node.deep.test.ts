// @module-tag mcp
import { expect, it } from 'vitest'
import { ended, startCli } from './cli-support.js'

it('toolport mcp exits with a message if a request is too long', async () => {
  const child = startCli('/', ['mcp', '--memory'])
  const end = ended(child)
  child.stdin.on('error', () => {})
  child.stdin.write('x'.repeat(33 * 1024 * 1024))
  const { code, stderr } = await end
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^toolport: .*longer than 33554432 bytes.*\n$/)])
})
