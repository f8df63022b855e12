// @module-tag playground
import { describe, expect, test } from 'vitest'
import { exportFile, importFile } from '../../demo/src/archives/archives.js'
import { formatBytes } from '../../demo/src/format.js'
import { choose, FILES, files, notice, openDialog, problem, shown, tarOf, useArchivesPage } from './archives-page.js'

useArchivesPage()

describe('an archive', () => {
  test('cancelled while it is written leaves no checkpoint', async () => {
    const { workspace } = shown.playground.session
    await workspace.checkpoint()
    const before = await workspace.checkpoints()
    const stop = new AbortController()
    const keep = () => workspace.checkpoint({ label: 'before', reuse: true })
    const archive = new File([await exportFile(workspace, 'tar.gz')], 'all.tar.gz')
    await expect(importFile(workspace, archive, { signal: stop.signal, tell: () => stop.abort(new Error('stop')) }, keep)).rejects.toThrow(
      'stop',
    )
    expect(await workspace.checkpoints()).toEqual(before)
    expect(await files()).toEqual(FILES)
  })

  test('is imported without outside links, with a note', async () => {
    const { workspace } = shown.playground.session
    const link = (path: string, target: string) => ({ path, kind: 'symlink', size: 0, target }) as const
    await openDialog()
    choose(
      await tarOf(
        { path: 'new/x.txt', kind: 'file', size: 1, content: Uint8Array.of(65) },
        link('new/in', '../README.md'),
        link('new/absolute', '/etc/passwd'),
        link('new/up', '../../x'),
        link('new/winding', 'a/../../b'),
      ),
    )
    await expect
      .poll(notice)
      .toContain('1 file and 1 link of made.tar are in the workspace now. The timeline takes it back. Left out: 3 links that lead out')
    expect((await workspace.list('new')).map(({ name }) => name).sort()).toEqual(['in', 'x.txt'])
  })

  test('an archive with only links is not reported as empty', async () => {
    await openDialog()
    choose(await tarOf({ path: 'new/in', kind: 'symlink', size: 0, target: '../README.md' }))
    await expect.poll(notice).toBe('1 link of made.tar is in the workspace now. The timeline takes it back.')
  })

  test('fails with the error of the step before writing', async () => {
    const full = Object.assign(new Error('No room for a checkpoint'), { code: 'ENOSPC' })
    const made = await tarOf({ path: 'a.txt', kind: 'file', size: 1, content: Uint8Array.of(65) })
    await expect(importFile(shown.playground.session.workspace, made, {}, () => Promise.reject(full))).rejects.toBe(full)
  })

  test('is shown by name, with invisible characters escaped', async () => {
    await openDialog()
    choose(new File(['no archive at all'], 'a\u202ezip.tar'))
    await expect.poll(problem).toContain('zip.tar is no archive')
    for (const place of ['.dialog-problem', '.task-step']) {
      expect(shown.find(`${place} .hidden-character`).getAttribute('aria-label')).toBe('⟨U+202E⟩')
    }
  })

  test('an archive with reserved paths is rejected with the page’s message', async () => {
    await openDialog()
    choose(await tarOf({ path: '.toolport-checkpoints/x', kind: 'file', size: 1, content: Uint8Array.of(65) }))
    await expect.poll(problem).toBe('It holds “.toolport-checkpoints/x”: that name is reserved here, for what the timeline keeps.')
  })

  test('shows its progress in both directions, and can be cancelled', async () => {
    const { workspace } = shown.playground.session
    for (const kind of ['tar.gz', 'zip', 'snapshot'] as const) {
      const told: string[] = []
      const archive = await exportFile(workspace, kind, { tell: (howFar) => void told.push(howFar) })
      expect(told.at(-1), kind).toBe(formatBytes(archive.size))
      const signal = AbortSignal.abort(new Error('not wanted'))
      await expect(exportFile(workspace, kind, { signal }), kind).rejects.toThrow('not wanted')
      const file = new File([archive], `all.${kind}`)
      await expect(importFile(workspace, file, { signal }), kind).rejects.toThrow('not wanted')
      told.length = 0
      await importFile(workspace, file, { tell: (howFar) => void told.push(howFar) })
      expect(told.at(-1), kind).toBe('3 files')
    }
    expect(await files()).toEqual(FILES)
  })
})
