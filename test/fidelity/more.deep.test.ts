// @module-tag virtual-shell
import { expect, it } from 'vitest'
import { parseJsonLines } from '../json-lines.js'
import recorded from './more.jsonl?raw'
import { type Recorded, runCase } from './run.js'

// Cases that the corpus lacks, recorded in the same way from bash 5.2 and the GNU tools when commands of the virtual shell were fixed.
it.each(parseJsonLines<Recorded>(recorded).map(({ script, ...wanted }) => [script, wanted] as const))('%s', async (script, wanted) => {
  expect(await runCase({ script })).toMatchObject(wanted)
})

it('awk, sed and sort work above the limits of the library, and a command at a limit ends the script', async () => {
  const many = await runCase({ script: "seq 150000 | sed 's/$/ x/' | sort -rn | awk '{ s += $1 } END { print s, NR }'" })
  expect(many).toMatchObject({ stdout: '11250075000 150000\n', exitCode: 0 })
  const braces = await runCase({ script: 'echo {1..2000000} | wc -w; echo on' })
  expect(braces).toMatchObject({ stdout: '', exitCode: 126 })
  expect(braces.stderr).toContain('limit exceeded')
})

it('rejects what it would do differently', async () => {
  for (const script of ['ln README.md b', 'cp -b README.md .env', 'tail -f README.md', "sed '1e date' README.md", 'cp -l README.md b']) {
    const { exitCode, stderr } = await runCase({ script })
    expect(exitCode).not.toBe(0)
    expect(stderr).not.toBe('')
  }
})
