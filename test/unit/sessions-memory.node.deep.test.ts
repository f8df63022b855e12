// @module-tag background
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Session } from 'toolport'
import { createTestHost } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { createSessions } from '../../src/sessions/index.js'
import { type Hand, hand } from './sessions-support.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes of heap and buffers in use after a garbage collection. */
async function held(): Promise<number> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const MIB = 1024 * 1024

describe('a session holds at most 5 MB of', () => {
  const held5 = async (flood: (shell: Hand) => void): Promise<Session> => {
    const sessions = createSessions(createTestHost())
    const shell = hand()
    const session = await sessions.start(shell.start())
    shell.print('warm up')
    const before = await held()
    flood(shell)
    expect((await held()) - before).toBeLessThan(5 * MIB)
    expect(session.info.unread.stdout).toBe(300_000)
    return session
  }

  it('300 MB in pieces of 64 KiB on both streams', async () => {
    const session = await held5((shell) => {
      for (let i = 0; i < 2400; i++) {
        // A new string each time, because one shared string would hide a leak.
        const piece = `${i}\n`.padEnd(65_536, 'é')
        shell.print(piece)
        shell.print(piece, 'stderr')
      }
    })
    expect(session.read({ maxChars: 4, peek: true }).stdout.dropped).toBe(2400 * 65_536 + 7 - 300_000)
  })

  it('one piece of 100 MB that ends within a control sequence', async () => {
    await held5((shell) => shell.print(`${'x'.repeat(50 * MIB)}${Date.now()}\x1b]0;title \ud83d`))
  })

  it('a million pieces of one character on alternating streams', async () => {
    await held5((shell) => {
      for (let i = 0; i < 1_000_000; i++) shell.print(String.fromCharCode(0x400 + (i % 100)), i % 2 === 0 ? 'stdout' : 'stderr')
    })
  })
})
