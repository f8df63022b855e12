// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, test } from 'vitest'
import { around, hunkAt } from '../../demo/src/patch/excerpt.js'
import { fileDiffs } from '../../demo/src/patch/file-diffs.js'
import { createSession } from '../../demo/src/session.js'

const envelope = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n')

describe('patch parsing', () => {
  test('splits a diff by counted lines, whatever the files contain', async () => {
    const tricky = '--- a/x\n+++ b/x\n@@ -1 +1 @@\ndiff --git a/x b/x\nrename to y\n[diff cut at 1 bytes]\n'
    const session = createSession('test', { files: { 'a.txt': tricky, 'b "q".txt': 'one\n' } })
    const patch = envelope(
      '*** Update File: a.txt',
      '@@',
      ' --- a/x',
      '-+++ b/x',
      '+--- b/y',
      ' @@ -1 +1 @@',
      '*** Update File: b "q".txt',
      '@@',
      '-one',
      '+two',
    )
    const { output } = await session.runtime.execute({ name: 'apply_patch', input: { patch, dry_run: true } })
    const files = fileDiffs(output, (path) => session.workspace.relative(path))
    expect(files.map(({ path, added, removed, cut }) => [path, added, removed, cut])).toEqual([
      ['/workspace/a.txt', 1, 1, false],
      ['/workspace/b "q".txt', 1, 1, false],
    ])
    expect(files[0]?.diff).toBe('@@ -1,5 +1,5 @@\n --- a/x\n-+++ b/x\n+--- b/y\n @@ -1 +1 @@\n diff --git a/x b/x\n rename to y')
    await session.close()
  })

  test('ignores values that are not output of apply_patch', () => {
    for (const output of [undefined, null, 'text', {}, { changes: 1 }]) expect(fileDiffs(output, String)).toEqual([])
  })

  test('ends a hunk where the next part starts', () => {
    const texts = (patch: string, line: number): string[] => hunkAt(patch, line).map(({ text }) => text)
    expect(texts('@@\n-a\n+b\n@@\n-c', 1)).toEqual(['@@', '-a', '+b'])
    expect(texts('@@\r\n-a\r\n*** End of File\r\n*** End Patch', 1)).toEqual(['@@', '-a', '*** End of File'])
    expect(texts('@@ -1 +1 @@\n--- a\n-b\n--- a/x\n+++ b/x\n', 1)).toEqual(['@@ -1 +1 @@', '--- a', '-b'])
    expect(texts('a\nb', 9)).toEqual([])
    expect(hunkAt('+x\n'.repeat(1000), 1)).toHaveLength(40)
    expect(around('1\n2\n3\n4\n5\n6\n7', 4).map(({ number }) => number)).toEqual([2, 3, 4, 5, 6])
    expect(around('1\n2\n3\n4', 1).map(({ number }) => number)).toEqual([1, 2, 3])
  })
})
