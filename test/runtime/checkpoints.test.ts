// @module-tag checkpoints
import { branchWorkspace, createRuntime, createWorkspace, defineTool, fileTools, metaTools, searchTools, shellTools } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { withFaults } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { benchOver } from '../tools/harness.js'

const tools = [...fileTools(), ...searchTools(), ...shellTools(), ...metaTools()]
const automatic = { automatic: true }

describe('automatic checkpoints', () => {
  it('are created before every call that may write, and before no other', async () => {
    const bench = benchOver(createRuntime({ fs: createMemoryFs({ files: { a: '1' } }), tools, checkpoints: automatic }))
    await bench.ok('read_file', { path: 'a' })
    await bench.ok('list_files')
    expect((await bench.ok('list_checkpoints')).total, 'nothing may write').toBe(0)
    await bench.ok('write_file', { path: 'a', content: '2' })
    await bench.ok('edit_file', { path: 'a', edits: [{ old_string: '2', new_string: '3' }] })
    await bench.ok('move_file', { from: 'a', to: 'b' })
    const { checkpoints } = await bench.ok('list_checkpoints')
    expect(checkpoints.map(({ id, label }: { id: string; label: string }) => `${id} ${label}`)).toEqual([
      'c3 move_file a',
      'c2 edit_file a',
      'c1 write_file a',
    ])
    await bench.ok('restore_checkpoint', { checkpoint: 'c2' })
    expect(await bench.files()).toEqual({ a: '2' })
    await bench.ok('restore_checkpoint', { checkpoint: 'c1' })
    expect(await bench.files()).toEqual({ a: '1' })
  })

  it('are reused if nothing changed since the last one', async () => {
    const bench = benchOver(createRuntime({ fs: createMemoryFs({ files: { a: '1' } }), tools, checkpoints: automatic }))
    for (let i = 0; i < 3; i++) await bench.fail('edit_file', { path: 'a', edits: [{ old_string: 'nowhere', new_string: '' }] })
    expect((await bench.ok('list_checkpoints')).total).toBe(1)
  })

  it('are created for concurrent calls in order, and for shells', async () => {
    const shell = createJustBashShell({ scratch: createMemoryFs() })
    const runtime = createRuntime({ fs: createMemoryFs(), tools, shell, checkpoints: automatic })
    const results = await runtime.executeAll([
      { name: 'write_file', input: { path: 'a', content: '1' } },
      { name: 'read_file', input: { path: 'a' } },
      { name: 'bash', input: { command: `echo 2 > a\n\n\techo ${'x'.repeat(300)} > b` } },
      { name: 'write_file', input: { path: 'c', content: '3' } },
    ])
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true, true])
    const checkpoints = await runtime.workspace.checkpoints()
    expect(checkpoints.map(({ label }) => label)).toEqual([
      'write_file a',
      expect.stringMatching(/^bash echo 2 > a echo x{50,110}\.\.\.$/),
      'write_file c',
    ])
    await runtime.workspace.restore('c2')
    expect(await runtime.workspace.files()).toEqual({ a: '1' })
    await runtime.dispose()
  })

  it('automatic checkpoints that fail end the call with an error before it runs', async () => {
    const fs = withFaults(createMemoryFs(), { fault: 'ENOSPC', when: ({ method }) => method === 'checkpoint' })
    const bench = benchOver(createRuntime({ fs, tools, checkpoints: automatic }))
    const failed = await bench.fail('write_file', { path: 'a', content: '1' })
    expect(failed.output).toMatchObject({ code: 'ENOSPC', tool: 'write_file' })
    expect(failed.error).toMatch(/^Cannot run "write_file": the checkpoint before it failed: ENOSPC/)
    expect(await bench.files()).toEqual({})
    await bench.ok('list_files')
  })

  it('are created before the host’s hook, which may still reject the call', async () => {
    const seen: string[] = []
    const runtime = createRuntime({
      fs: createMemoryFs(),
      tools,
      checkpoints: automatic,
      hooks: {
        checkpoint: async ({ name }) => {
          seen.push(`${name} ${(await runtime.workspace.checkpoints()).length}`)
          throw new Error('not now')
        },
      },
    })
    const result = await runtime.execute({ name: 'write_file', input: { path: 'a', content: '1' } })
    expect(seen).toEqual(['write_file 1'])
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining('not now') })
    expect(await runtime.workspace.files()).toEqual({})
  })

  it('are not created in a read-only workspace or without the option', async () => {
    const noisy = defineTool({ name: 'noisy', description: 'May write.', inputSchema: { type: 'object' }, run: () => 'done' })
    const fs = withFaults(createMemoryFs(), { fault: 'EIO', when: ({ method }) => method === 'checkpoint' })
    const readOnly = createRuntime({ fs, tools: [noisy], checkpoints: automatic, policy: { readOnly: true } })
    expect(await readOnly.call('noisy', {})).toBe('done')
    for (const checkpoints of [undefined, {}, { automatic: false, keep: 3 }]) {
      expect(await createRuntime({ fs, tools: [noisy], ...(checkpoints && { checkpoints }) }).call('noisy', {})).toBe('done')
    }
    expect(fs.faults.fired).toEqual([])
  })

  it('are kept up to the number set for the runtime or the workspace', async () => {
    const write = (bench: ReturnType<typeof benchOver>) => async (i: number) => bench.ok('write_file', { path: 'a', content: `${i}` })
    const bench = benchOver(createRuntime({ fs: createMemoryFs(), tools, checkpoints: { automatic: true, keep: 2 } }))
    for (let i = 0; i < 5; i++) await write(bench)(i)
    expect((await bench.ok('list_checkpoints')).checkpoints.map(({ id }: { id: string }) => id)).toEqual(['c5', 'c4'])
    const workspace = createWorkspace({ fs: createMemoryFs(), checkpoints: { keep: 1 } })
    const given = benchOver(createRuntime({ workspace, tools, checkpoints: automatic }))
    for (let i = 0; i < 3; i++) await write(given)(i)
    expect((await given.ok('list_checkpoints')).checkpoints.map(({ id }: { id: string }) => id)).toEqual(['c3'])
    for (const checkpoints of [{ keep: 2 }, { bytes: 10 }]) {
      expect(() => createRuntime({ workspace, tools, checkpoints })).toThrow(
        `"checkpoints.${Object.keys(checkpoints)[0]}" cannot be combined with "workspace". Set the option when creating the workspace`,
      )
    }
  })

  it('do not drop the oldest checkpoint while a call restores it', async () => {
    const bench = benchOver(createRuntime({ fs: createMemoryFs(), tools, checkpoints: { automatic: true, keep: 2 } }))
    for (let i = 0; i < 4; i++) await bench.ok('write_file', { path: 'a', content: `${i}` })
    const { undo } = await bench.ok('restore_checkpoint', { checkpoint: 'c3' })
    expect(await bench.files()).toEqual({ a: '1' })
    await bench.ok('restore_checkpoint', { checkpoint: undo })
    expect(await bench.files()).toEqual({ a: '3' })
  })

  it('work in a branch after commit or discard', async () => {
    for (const end of ['commit', 'discard'] as const) {
      const workspace = createWorkspace({ fs: createMemoryFs({ files: { a: '1' } }) })
      const branch = branchWorkspace(workspace)
      const bench = benchOver(createRuntime({ workspace: branch.workspace, tools, checkpoints: automatic }))
      await bench.ok('write_file', { path: 'a', content: '2' })
      await branch[end]()
      // A commit does not change what the branch shows, so its checkpoints stay valid; a discard invalidates them.
      const { checkpoints } = await bench.ok('list_checkpoints')
      expect(checkpoints.map(({ id }: { id: string }) => id)).toEqual(end === 'commit' ? ['c1'] : [])
      await bench.ok('write_file', { path: 'b', content: '3' })
      await bench.ok('read_file', { path: 'a' })
      await bench.ok('write_file', { path: 'a', content: '4' })
      await bench.ok('restore_checkpoint', { checkpoint: 'c2' })
      expect(await bench.files()).toEqual({ a: end === 'commit' ? '2' : '1' })
      if (end === 'discard') continue
      await bench.ok('restore_checkpoint', { checkpoint: 'c1' })
      expect((await branch.commit()).applied.map(({ path }) => path)).toEqual(['/workspace/a'])
      expect(await workspace.files()).toEqual({ a: '1' })
    }
  })

  it('work in a branch and stay there', async () => {
    const workspace = createWorkspace({ fs: createMemoryFs({ files: { a: '1' } }) })
    const branch = branchWorkspace(workspace)
    const bench = benchOver(createRuntime({ workspace: branch.workspace, tools, checkpoints: automatic }))
    await bench.ok('write_file', { path: 'a', content: '2' })
    await bench.ok('write_file', { path: 'b', content: '2' })
    await bench.ok('restore_checkpoint', { checkpoint: 'c2' })
    expect(await bench.files()).toEqual({ a: '2' })
    expect((await branch.changes()).changes.map(({ path }) => path)).toEqual(['/workspace/a'])
    expect((await branch.commit()).applied.map(({ path }) => path)).toEqual(['/workspace/a'])
    expect(await workspace.files()).toEqual({ a: '2' })
    expect(await workspace.checkpoints()).toEqual([])
    expect((await workspace.fs.readdir('/')).map(({ name }) => name)).toEqual(['a'])
  })
})
