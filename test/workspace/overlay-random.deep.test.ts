// @module-tag branches
import { createOverlayFs, createWorkspace, type FsAdapter } from 'toolport'
import { createMemoryFs, type MemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { anyCall, type Call, type Compared, firstCalls, outcome, treeOf } from '../adapters/beside-memory.js'
import fc from '../fast-check.js'
import { type Snapshot, shown, snapshot } from './tree-snapshot.js'

const CHANGING = ['write', 'mkdir', 'unlink', 'rmdir', 'rename', 'symlink', 'append', 'copy', 'rmTree', 'setMeta'] as const

const call = anyCall('a', 'b', 'c-', '__proto__')
const script = (maxLength: number) => fc.array(call, { minLength: maxLength / 2, maxLength, size: 'max' })
const FIRST = firstCalls('a', 'c-')

/** A storage that rejects all changes. */
function frozen(fs: FsAdapter): FsAdapter {
  const refuse = () => Promise.reject(new Error('the lower storage was touched'))
  return { ...fs, ...Object.fromEntries(CHANGING.map((method) => [method, refuse])) }
}

async function memoryAfter(calls: readonly Call[], now: () => number): Promise<MemoryFs> {
  const fs = createMemoryFs({ now })
  for (const each of calls) await outcome(fs, each)
  return fs
}

describe('an overlay', () => {
  for (const depth of [1, 2]) {
    it(`gives the results of one memory storage for random calls, ${depth} deep, and never changes the lower storage`, async () => {
      const agrees = fc.asyncProperty(script(20), script(40), async (before, calls) => {
        let time = 0
        const now = (): number => time
        const [lower, memory] = [await memoryAfter([...FIRST, ...before], now), await memoryAfter([...FIRST, ...before], now)]
        const whole = shown(await snapshot(lower))
        let below = frozen(lower)
        for (let i = 1; i < depth; i++) below = frozen(createOverlayFs({ lower: below, now }))
        const overlay = createOverlayFs({ lower: below, now }) as FsAdapter as Compared
        for (const each of calls) {
          time++
          expect(await outcome(overlay, each), JSON.stringify(each)).toEqual(await outcome(memory, each))
        }
        expect(await treeOf(overlay)).toEqual(await treeOf(memory))
        expect(await overlay.usage()).toEqual(await memory.usage())
        expect(shown(await snapshot(lower))).toEqual(whole)
      })
      await fc.assert(agrees, { numRuns: 200 })
    })
  }

  it('lists exactly the differences, and a commit makes the lower storage equal', async () => {
    const agrees = fc.asyncProperty(script(16), script(40), async (before, calls) => {
      const lower = await memoryAfter([...FIRST, ...before], () => 0)
      const overlay = createOverlayFs({ lower, now: () => 0 })
      for (const each of calls) await outcome(overlay as FsAdapter as Compared, each)
      const [old, wanted] = [await snapshot(lower), await snapshot(overlay)]
      const differing = [...new Set([...old.keys(), ...wanted.keys()])].filter(
        (path) => JSON.stringify(shownAt(old, path)) !== JSON.stringify(shownAt(wanted, path)),
      )
      const { changes, read } = await overlay.changes()
      expect(changes.map(({ path }) => path)).toEqual(differing.sort())
      for (const { path, before, after } of changes) {
        if (before?.kind === 'file') expect(await read(path, 'before')).toEqual(old.get(path)?.bytes)
        if (after?.kind === 'file') expect(await read(path, 'after')).toEqual(wanted.get(path)?.bytes)
      }
      if (leadsOut(wanted)) return
      const { applied, conflicts } = await overlay.commit(createWorkspace({ fs: lower, root: '/' }))
      expect(conflicts).toEqual([])
      expect(applied.map(({ path }) => path)).toEqual(changes.map(({ path }) => path))
      expect(shown(await snapshot(lower))).toEqual(shown(wanted))
      expect(shown(await snapshot(overlay)), 'the overlay shows the same').toEqual(shown(wanted))
      expect((await overlay.changes()).changes, 'and holds nothing any more').toEqual([])
    })
    await fc.assert(agrees, { numRuns: 300 })
  })

  it('loses no concurrent change of the lower storage: a commit keeps it or reports a conflict', async () => {
    const seen = { committed: 0, refused: 0 }
    const keeps = fc.asyncProperty(script(10), script(8), script(6), async (before, ours, theirs) => {
      const lower = await memoryAfter([...FIRST, ...before], () => 0)
      const known = new Set(contentsOf(await snapshot(lower)))
      const overlay = createOverlayFs({ lower, now: () => 0 })
      for (const each of marked(ours, 100)) await outcome(overlay as FsAdapter as Compared, each)
      for (const each of marked(theirs, 200)) await outcome(lower, each)
      const [live, view] = [await snapshot(lower), await snapshot(overlay)]
      if (leadsOut(view)) return
      const { applied, conflicts } = await overlay.commit(createWorkspace({ fs: lower, root: '/' }))
      const after = await snapshot(lower)
      if (conflicts.length > 0) {
        seen.refused++
        expect(applied).toEqual([])
        expect(shown(after), 'nothing is changed').toEqual(shown(live))
        expect(shown(await snapshot(overlay)), 'and nothing forgotten').toEqual(shown(view))
        return
      }
      if (applied.length > 0 && theirs.length > 0) seen.committed++
      for (const [path] of view) expect(shownAt(after, path), path).toEqual(shownAt(view, path))
      // All other entries come from `theirs`, in directories that this overlay has created too.
      for (const [path] of after) if (!view.has(path)) expect(shownAt(after, path), path).toEqual(shownAt(live, path))
      const kept = contentsOf(after)
      for (const content of contentsOf(live)) if (!known.has(content)) expect(kept).toContain(content)
    })
    await fc.assert(keeps, { numRuns: 1000 })
    expect(seen.committed).toBeGreaterThan(20)
    expect(seen.refused).toBeGreaterThan(20)
  })

  it('reports no conflict with changes elsewhere', async () => {
    const elsewhere = fc.asyncProperty(script(16), script(16), async (ours, theirs) => {
      const lower = createMemoryFs({ now: () => 0 })
      for (const name of ['ours', 'theirs'])
        for (const each of [['mkdir', '/'], ...FIRST] as const) await outcome(lower, below(name, each as Call))
      const alone = createMemoryFs({ now: () => 0 })
      for (const name of ['ours', 'theirs'])
        for (const each of [['mkdir', '/'], ...FIRST] as const) await outcome(alone, below(name, each as Call))
      const overlay = createOverlayFs({ lower, now: () => 0 })
      for (let i = 0; i < Math.max(ours.length, theirs.length); i++) {
        const [own, other] = [ours[i], theirs[i]]
        if (own) {
          await outcome(overlay as FsAdapter as Compared, below('ours', own))
          await outcome(alone, below('ours', own))
        }
        if (other) {
          await outcome(lower, below('theirs', other))
          await outcome(alone, below('theirs', other))
        }
      }
      if (leadsOut(await snapshot(alone))) return
      expect((await overlay.commit(createWorkspace({ fs: lower, root: '/' }))).conflicts).toEqual([])
      expect(shown(await snapshot(lower))).toEqual(shown(await snapshot(alone)))
    })
    await fc.assert(elsewhere, { numRuns: 200 })
  })
})

/** The same calls, with content that no other call writes. */
function marked(calls: readonly Call[], mark: number): Call[] {
  return calls.map((each, i) => {
    const [method, path] = each
    const bytes = Uint8Array.of(mark, i, 0, 0, 0, 0, 0, 0)
    if (method === 'write') return [method, path, bytes, each[3]]
    return method === 'append' ? [method, path, bytes] : each
  })
}

/** The same call in another directory. */
function below(dir: string, each: Call): Call {
  const at = (path: string): string => (path === '/' ? `/${dir}` : `/${dir}${path}`)
  if (each[0] === 'usage') return each
  if (each[0] === 'symlink') return ['symlink', each[1], at(each[2])]
  const [method, path, ...rest] = each
  if (method === 'rename' || method === 'copy') return [method, at(path), at(each[2])]
  return [method, at(path), ...rest] as Call
}

/** Whether a symlink leads outside. A workspace does not create such a symlink. */
const leadsOut = (tree: Snapshot): boolean => [...tree.values()].some(({ target }) => target === '..')

const contentsOf = (tree: Snapshot): string[] =>
  [...tree.values()].flatMap(({ kind, bytes }) => (kind === 'file' && bytes.length > 7 ? [bytes.join()] : []))

function shownAt(tree: Snapshot, path: string): unknown {
  const entry = tree.get(path)
  return entry && { ...entry, bytes: [...entry.bytes] }
}
