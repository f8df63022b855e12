// @module-tag grep
import { fork } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, createWorkspace, searchTools } from 'toolport'
import { createNodeFs } from 'toolport/adapters/node'
import { expect, it } from 'vitest'

const ROUNDS = 1000

/** Replaces entries by symlinks, directories and others, removes permissions, and removes entries, as fast as it can. */
const CHANGER = `
const fs = require('node:fs')
const root = process.argv[2]
let i = 0
const attempt = (work) => { try { work() } catch {} }
const change = () => {
  for (let n = 0; n < 50; n++) {
    const path = root + '/d' + (i % 7) + (i % 3 ? '/f' + (i % 11) : '')
    const kind = (i * 7919) % 6
    i++
    attempt(() => fs.chmodSync(path, 0o755))
    attempt(() => fs.rmSync(path, { recursive: true, force: true }))
    if (kind === 0) attempt(() => fs.symlinkSync('/etc/passwd', path))
    else if (kind === 1) attempt(() => fs.symlinkSync('../d1', path))
    else if (kind === 2) attempt(() => fs.mkdirSync(path, { recursive: true }))
    else if (kind === 3) attempt(() => { fs.writeFileSync(path, 'hit'); fs.chmodSync(path, 0) })
    else attempt(() => { fs.mkdirSync(require('node:path').dirname(path), { recursive: true }); fs.writeFileSync(path, 'hit\\n'.repeat(500)) })
  }
  setImmediate(change)
}
change()
`

it(`a search never crashes while another process changes the directory, in ${ROUNDS} rounds`, { timeout: 600_000 }, async () => {
  const root = await mkdtemp(join(tmpdir(), 'toolport-changing-'))
  const script = `${root}-changer.cjs`
  await writeFile(script, CHANGER)
  const child = fork(script, [root])
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  try {
    const runtime = createRuntime({ workspace: createWorkspace({ fs: createNodeFs({ root }), root: '/workspace' }), tools: searchTools() })
    const codes = new Set<string>()
    for (let i = 0; i < ROUNDS; i++) {
      const results = await Promise.all([
        runtime.execute({ name: 'grep', input: { pattern: 'hit', limit: 1 + (i % 50) } }),
        runtime.execute({ name: 'glob', input: { pattern: '**', sort: i % 2 ? 'newest' : 'path' } }),
        runtime.execute({ name: 'list_files', input: { recursive: true } }),
      ])
      for (const result of results) if (!result.ok) codes.add(result.error)
    }
    expect([...codes]).toEqual([])
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
    child.kill()
    await rm(root, { recursive: true, force: true })
    await rm(script)
  }
})
