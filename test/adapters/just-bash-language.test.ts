// @module-tag virtual-shell
import { expect, it } from 'vitest'
import { parseJsonLines } from '../json-lines.js'
import { findShell } from './just-bash-find-support.js'
import recorded from './just-bash-language.jsonl?raw'
import { LANGUAGE_SEED } from './just-bash-language-seed.js'

interface Recorded {
  readonly script: string
  readonly stdout: string
  readonly exitCode: number
}

// Recorded by scripts/record-shell.mjs.
it.each(parseJsonLines<Recorded>(recorded))('does what bash does: $script', async ({ script, ...printed }) => {
  const { shell } = await findShell(LANGUAGE_SEED)
  expect(await shell.exec(script)).toMatchObject(printed)
})
