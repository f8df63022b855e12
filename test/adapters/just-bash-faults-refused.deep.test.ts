// @module-tag virtual-shell
import { createOverlayFs, type WorkspaceOptions } from 'toolport'
import { describe, expect, it } from 'vitest'
import '../shims/buffer-if-missing.js'
import { FAULT_CASES } from './just-bash-faults-cases.js'
import { damage, isSame, nameOf, now, place, prepare, type Tree, treeAfter, treeOf } from './just-bash-faults-support.js'

const REFUSING: readonly (readonly [name: string, options: Partial<WorkspaceOptions>, words: RegExp])[] = [
  ['a read-only workspace', { policy: { readOnly: true } }, /Read-only file system/],
  ['a deny rule', { policy: { paths: [{ paths: '**', access: 'write', action: 'deny' }] } }, /Permission denied/],
  ['an ask rule', { policy: { paths: [{ paths: '**', access: 'write', action: 'ask' }] } }, /Permission denied/],
  ['an exhausted quota of files and bytes', { quotas: { bytes: 1, files: 1 } }, /No space left on device/],
]

/** The paths of the tree that are on other storages than the root's (`beside`), or on the root's. */
const parts = (tree: Tree, beside: boolean): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([path]) => /^(?:scratch:|\/mounted)/.test(path) === beside))

describe.each(REFUSING)('%s', (_, options, words) => {
  for (const one of FAULT_CASES) {
    it(nameOf(one), async () => {
      const { open, shell, tree } = place()
      await shell.exec(prepare + (one.first ?? ''))
      const [before, wanted] = [await tree(), await treeAfter(one)]
      const refused = open(options)
      const { exitCode, stderr } = await refused.exec(one.script)
      const after = await tree()
      expect(damage(one, before, wanted, after)).toEqual([])
      if (!options.quotas) expect({ ...parts(before, true), ...parts(after, false) }).toEqual(before)
      if (isSame(after, wanted)) return
      expect(stderr).toMatch(words)
      expect(exitCode).not.toBe(0)
      expect((await refused.exec('cat p.diff | head -1; echo a > /tmp/a && cat /tmp/a')).stdout).toBe('--- a/f\na\n')
    })
  }
})

describe('an overlay at its quota', () => {
  for (const one of FAULT_CASES) {
    it(nameOf(one), async () => {
      const { files, open, shell, tree } = place()
      await shell.exec(prepare + (one.first ?? ''))
      const [before, wanted] = [await tree(), await treeAfter(one)]
      const overlay = createOverlayFs({ lower: files, now })
      const { bytes, files: count } = await overlay.usage()
      const refused = open({ quotas: { bytes: bytes + 2, files: count + 1 } }, overlay)
      const { stderr } = await refused.exec(one.script)
      const after = { ...parts(await tree(), true), ...(await treeOf(overlay)) }
      expect(damage(one, before, wanted, after)).toEqual([])
      if (!isSame(after, wanted)) expect(stderr).toMatch(/No space left on device/)
      expect(await treeOf(files)).toEqual(parts(before, false))
    })
  }
})
