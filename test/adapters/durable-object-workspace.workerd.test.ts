// @module-tag durable-object
import { createRuntime, createWorkspace, fileTools, searchTools } from 'toolport'
import { createDurableObjectFs } from 'toolport/adapters/cloudflare'
import { describe, expect } from 'vitest'
import { countStatuses, EXPECTED_IDS, EXPECTED_STATUSES, gitSession } from '../workspace/git-session.js'
import { inside, utf8 } from './durable-object-support.workerd.js'

describe('a workspace in a Durable Object', () => {
  inside('isomorphic-git creates the same commits as on other storages', async (storage) => {
    const session = await gitSession(createWorkspace({ fs: createDurableObjectFs({ storage }) }))
    expect(session).toMatchObject(EXPECTED_IDS)
    expect(countStatuses(session)).toEqual(EXPECTED_STATUSES)
  })

  inside('walks 10,000 files in order and finds a single one', async (storage) => {
    const fs = createDurableObjectFs({ storage })
    for (let d = 0; d < 100; d++) {
      await fs.mkdir(`/d${d}`)
      for (let i = 0; i < 100; i++) await fs.write(`/d${d}/f${i}.txt`, utf8(`file ${d} ${i}\n`))
    }
    expect(await fs.usage()).toMatchObject({ files: 10_100 })
    const workspace = createWorkspace({ fs })
    const paths: string[] = []
    for await (const entries of workspace.walk('.')) for (const { path } of entries) paths.push(path)
    expect(paths).toHaveLength(10_100)
    const expected = Array.from({ length: 100 }, (_, d) => `d${d}`)
      .sort()
      .flatMap((d) => [
        `/workspace/${d}`,
        ...Array.from({ length: 100 }, (_, i) => `f${i}.txt`)
          .sort()
          .map((f) => `/workspace/${d}/${f}`),
      ])
    expect(paths).toEqual(expected)
    const runtime = createRuntime({ workspace, tools: [...fileTools(), ...searchTools()] })
    expect(await runtime.call('grep', { pattern: 'file 73 42$' })).toMatchObject({ matches: [{ path: '/workspace/d73/f42.txt' }] })
  })

  inside('an exceeded quota is ENOSPC and changes nothing', async (storage) => {
    const fs = createDurableObjectFs({ storage })
    const runtime = createRuntime({ fs, tools: fileTools(), quotas: { bytes: 100, files: 4 } })
    await runtime.call('write_file', { path: 'd/a.txt', content: 'x'.repeat(60) })
    const rows = (): unknown => storage.sql.exec('SELECT * FROM toolport_nodes').toArray()
    const before = rows()
    const refused = { ok: false, output: { code: 'ENOSPC' } }
    const write = (path: string, length: number): Promise<unknown> =>
      runtime.execute({ name: 'write_file', input: { path, content: 'y'.repeat(length) } })
    expect(await write('b.txt', 41)).toMatchObject(refused)
    expect(await write('d/a.txt', 101)).toMatchObject(refused)
    expect(await write('new/deep/dir/b.txt', 1)).toMatchObject(refused)
    expect(rows()).toEqual(before)
    expect(await fs.usage()).toEqual({ bytes: 60, files: 2 })
    // Concurrent calls share the quota too.
    const results = await Promise.all(Array.from({ length: 10 }, (_, i) => write(`f${i}`, 25)))
    expect(results.filter((result) => (result as { ok: boolean }).ok)).toHaveLength(1)
    expect(await fs.usage()).toEqual({ bytes: 85, files: 3 })
  })
})
