import { createMemoryFs } from 'toolport/adapters/memory'
import { expect } from 'vitest'
import type { FsAdapter } from '../../../src/types/fs.js'
import { BY_HAND } from './by-hand.js'
import type { ScriptPart } from './call.js'
import { DRAWN } from './drawn.js'
import { EXPECTED } from './expected.js'
import { partsFor, type Ran, runScript, TREE } from './run.js'

export const SCRIPT: readonly ScriptPart[] = [
  ...BY_HAND.filter(({ needs }) => needs.length === 0),
  DRAWN,
  ...BY_HAND.filter(({ needs }) => needs.length > 0),
]

export const callsIn = (parts: readonly ScriptPart[]): number => parts.reduce((sum, { calls }) => sum + calls.length, 0)

/** Expects the script's answers on the storage to be the pinned ones, which are the same for all storages and runtimes. */
export async function expectSame(fs: FsAdapter): Promise<void> {
  const parts = partsFor(fs, SCRIPT)
  const ours = await runScript(fs, parts)
  const expected = Object.fromEntries([...parts.map(({ title }) => title), TREE].map((title) => [title, EXPECTED[title]]))
  if (JSON.stringify(digests(ours)) === JSON.stringify(expected)) return
  // Compares with the memory, because the first different answer says more than a digest.
  const memory = await runScript(createMemoryFs(), parts)
  memory.forEach(({ title, answers }, part) => {
    answers.forEach((answer, i) => {
      expect(ours[part]?.answers[i], `${title}, call ${i}`).toEqual(answer)
    })
  })
  expect(digests(ours), 'as on the memory, but not what is pinned in expected.ts').toEqual(expected)
}

export const digests = (ran: readonly Ran[]): Readonly<Record<string, string>> =>
  Object.fromEntries(ran.map(({ title, digest }) => [title, digest]))
