// @module-tag checkpoints
import type { FsAdapter, Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type FaultOperation, type Faults, withFaults } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { open, treeOf, utf8 } from './checkpoint-cases.js'
import { withoutMethods } from './slow-fs.js'

/** How much of the interrupted write is stored: nothing, a part, or everything. No case acknowledges the write. */
type Cut = 'nothing' | 'part' | 'all'

/** A storage that fails forever from its nth change on. */
function stopping(inner: FsAdapter, at: number, cut: Cut): FsAdapter & { readonly faults: Faults } {
  const isChange = ({ changes }: FaultOperation): boolean => changes
  const isNow = ({ method }: FaultOperation): boolean => method === 'write' && fs.faults.operations.filter(isChange).length === at
  const fs = withFaults(inner, [
    ...(cut === 'part' ? [{ fault: 'torn', when: isNow } as const] : []),
    { fault: cut === 'all' ? 'kill' : 'disconnect', at, when: isChange },
  ])
  return fs
}

type Step =
  | readonly ['checkpoint']
  | readonly ['light']
  | readonly ['restore', string]
  | readonly ['change', (workspace: Workspace) => Promise<unknown>]

const change = (run: (workspace: Workspace) => Promise<unknown>): Step => ['change', run]

const SCRIPT: readonly Step[] = [
  change((to) => to.writeText('a', 'one')),
  change((to) => to.writeText('d/e/f', 'two')),
  change((to) => to.symlink('a', 'l')),
  ['checkpoint'],
  change((to) => to.writeText('a', 'ONE!')),
  change((to) => to.writeText('a', 'more', { mode: 'append' })),
  change((to) => to.setMeta('d/e/f', { mode: 0o600 })),
  change((to) => to.move('d', 'x')),
  change((to) => to.remove('l')),
  ['checkpoint'],
  change((to) => to.copy('x', 'copy')),
  change((to) => to.remove('x', { recursive: true })),
  change((to) => to.writeText('x', 'a file')),
  ['restore', 'c1'],
  change((to) => to.writeText('d/new', 'new')),
  ['checkpoint'],
  change((to) => to.move('a', 'd/new', { overwrite: true })),
  ['restore', 'c2'],
  ['checkpoint'],
]

/** The steps of `SCRIPT`, with some checkpoints made without a scan (`light`). After some of these nothing changes. */
const MIXED: readonly Step[] = [
  ...SCRIPT.slice(0, 3),
  ['light'],
  ...SCRIPT.slice(4, 7),
  ['light'],
  ...SCRIPT.slice(7, 9),
  ['checkpoint'],
  ...SCRIPT.slice(10, 12),
  ['light'],
  ['light'],
  change((to) => to.writeText('x', 'a file')),
  ['restore', 'c2'],
  change((to) => to.writeText('d/new', 'new')),
  ['checkpoint'],
  ['light'],
  change((to) => to.writeText('a', 'last')),
  ['light'],
]

interface Outcome {
  /** The tree before the interrupted step. */
  readonly before: Record<string, string>
  /** Checkpoint -> its tree. */
  readonly trees: ReadonlyMap<string, Record<string, string>>
  readonly answered: readonly string[]
  /** Ids of checkpoints without a scan. */
  readonly light: readonly string[]
}

async function play(fs: FsAdapter, inner: FsAdapter, script = SCRIPT): Promise<Outcome> {
  const workspace = open(fs, { checkpoints: { keep: script === SCRIPT ? 3 : 4 } })
  const trees = new Map<string, Record<string, string>>()
  const answered: string[] = []
  const light: string[] = []
  let before = {}
  try {
    for (const step of script) {
      before = await treeOf(open(inner))
      const made =
        step[0] === 'checkpoint' || step[0] === 'light'
          ? await workspace.checkpoint({ scan: step[0] === 'checkpoint' })
          : step[0] === 'restore'
            ? await workspace.restore(step[1])
            : undefined
      if (step[0] === 'change') await step[1](workspace)
      const checkpoint = made && ('checkpoint' in made ? made.checkpoint : made)
      if (checkpoint && !trees.has(checkpoint.id)) {
        trees.set(checkpoint.id, before)
        // A checkpoint without a scan is only stored with the first change after it.
        if (step[0] === 'light') light.push(checkpoint.id)
        else answered.push(checkpoint.id)
      }
    }
  } catch (error) {
    if (!(error instanceof Error) || !/EIO/.test(error.message)) throw error
  }
  return { before, trees, answered, light }
}

/** Every checkpoint that still exists must restore its tree. The newest acknowledged one must exist. */
async function checkAfter(inner: FsAdapter, { before, trees, answered, light }: Outcome): Promise<void> {
  const anew = open({ ...inner }, { checkpoints: { keep: 100 } })
  const kept = (await anew.checkpoints()).map(({ id }) => id)
  expect(
    kept
      .filter((id) => !light.includes(id))
      .slice(-2)
      .join(),
  ).toContain(answered.at(-1) ?? '')
  for (const id of kept) {
    await anew.restore(id)
    expect(await treeOf(anew), id).toEqual(trees.get(id) ?? before)
  }
  const { id } = await anew.checkpoint()
  expect([...answered, ...light.filter((one) => kept.includes(one))]).not.toContain(id)
  if (inner.hostPath) return
  const folders = (await inner.readdir('/.toolport-checkpoints/journal')).map(({ name }) => name).sort()
  expect(folders).toEqual((await anew.checkpoints()).map((one) => one.id).sort())
}

/** A storage that other programs may change, so that checkpoints scan it. */
const directory = (): FsAdapter => ({ ...withoutMethods(createMemoryFs(), 'checkpoint'), hostPath: (path) => `/crash${path}` })

const journaled = (atomicReplace: boolean): FsAdapter => {
  const fs = withoutMethods(createMemoryFs(), 'checkpoint')
  return { ...fs, can: { ...fs.can, atomicReplace } }
}

describe('checkpoints on a storage that stops at any change', () => {
  for (const cut of ['nothing', 'part', 'all'] as const) {
    it(`checkpoints on a storage that does ${cut} of a change are complete after reopening`, async () => {
      let at = 1
      for (; ; at++) {
        const inner = journaled(cut !== 'part')
        const fs = stopping(inner, at, cut)
        const outcome = await play(fs, inner)
        if (fs.faults.fired.length === 0) break
        await checkAfter(inner, outcome)
      }
      // The script must make enough changes to be meaningful.
      expect(at).toBeGreaterThan(80)
    })
  }

  for (const [title, make] of [
    ['directory', directory],
    ['journal', () => journaled(true)],
  ] as const) {
    for (const cut of ['nothing', 'all'] as const) {
      it(`checkpoints on a ${title} that does ${cut} of a change, with and without scans, are complete after reopening`, async () => {
        let at = 1
        for (; ; at++) {
          const inner = make()
          const fs = stopping(inner, at, cut)
          const outcome = await play(fs, inner, MIXED)
          if (fs.faults.fired.length === 0) break
          await checkAfter(inner, outcome).catch((error: unknown) => {
            throw new Error(`stopped at ${at}`, { cause: error })
          })
        }
        expect(at).toBeGreaterThan(60)
      })
    }
  }

  it('checkpoints on a storage that loses unflushed data are complete, except for contents of earlier files', async () => {
    for (let at = 1; ; at++) {
      const memory = createMemoryFs()
      const flushed = async (): Promise<void> => {
        last = await memory.checkpoint()
      }
      let last = await memory.checkpoint()
      const plain = withoutMethods(memory, 'checkpoint')
      const inner: FsAdapter = { ...plain, can: { ...plain.can, durableOnAck: false }, flush: flushed }
      const fs = stopping(inner, at, 'all')
      const { trees, answered } = await play(fs, inner)
      if (fs.faults.fired.length === 0) break
      // Simulates a power failure: names are as they were at the last flush, but contents of files that kept their names are new.
      for (const { path, before, after } of (await last.diff()).sort((a, b) => (a.path < b.path ? 1 : -1))) {
        if (after && !before && after.kind !== 'dir') await memory.unlink(path)
        else if (after && before?.kind !== after.kind)
          await (after.kind === 'dir' ? memory.rmTree(path) : memory.unlink(path)).catch(() => undefined)
      }
      for (const { path, before, after } of (await last.diff()).sort((a, b) => (a.path < b.path ? -1 : 1))) {
        if (before?.kind === 'dir' && !after) await memory.mkdir(path)
        else if (before?.kind === 'symlink') await memory.symlink(before.target ?? '', path)
        else if (before?.kind === 'file' && !after) await memory.write(path, await last.read(path))
        if (before?.mode !== undefined && before.kind !== 'symlink') await memory.setMeta(path, { mode: before.mode })
      }
      const anew = open({ ...inner }, { checkpoints: { keep: 100 } })
      const kept = (await anew.checkpoints()).map(({ id }) => id)
      if (answered.length > 0) expect(kept.join()).toContain(answered.at(-1) as string)
      for (const id of kept.filter((one) => trees.has(one))) {
        await anew.restore(id)
        expect(await treeOf(anew), `${id} after ${at}`).toEqual(trees.get(id))
      }
    }
  })
})

describe('incomplete images of a checkpoint', () => {
  const inSegment = '/.toolport-checkpoints/journal/c1'

  async function withDamagedImage() {
    const inner = journaled(true)
    const first = open(inner)
    await first.writeText('a', 'one')
    await first.checkpoint()
    await first.writeText('a', 'two')
    const image = await inner.read(`${inSegment}/1`)
    image[image.length - 1] = 0
    await inner.write(`${inSegment}/1`, image)
    return { inner, first }
  }

  it('are ignored, and the path is kept again before it changes', async () => {
    for (const whole of [true, false]) {
      const inner = journaled(whole)
      const first = open(inner)
      await first.writeText('a', 'one')
      await first.checkpoint()
      // A truncated image, an image with wrong content, and a file that is not an image.
      const header = '{"path":"/a","kind":"file","size":3,"mode":420,"sum":1}\n'
      await inner.write(`${inSegment}/1`, utf8(header))
      await inner.write(`${inSegment}/2`, utf8('{"path":"/a","ki'))
      await inner.write(`${inSegment}/3`, utf8(''))
      await inner.write(`${inSegment}/4`, utf8('null\n'))
      if (!whole) await inner.write(`${inSegment}/5`, utf8(`${header}xxx`))
      await inner.write(`${inSegment}/notes`, utf8('?'))
      const anew = open({ ...inner })
      await anew.writeText('a', 'two')
      await anew.restore('c1')
      expect(await anew.files()).toEqual({ a: 'one' })
    }
  })

  it('images that were damaged later are reported when they are read', async () => {
    const { first } = await withDamagedImage()
    const diff = await first.diff('c1').catch((error: unknown) => error)
    expect(diff).toMatchObject({ code: 'EIO', message: expect.stringContaining('damaged') })
  })

  it('do not prevent new checkpoints or changes', async () => {
    const { inner } = await withDamagedImage()
    const anew = open({ ...inner })
    expect(await anew.checkpoint({ reuse: true })).toMatchObject({ id: 'c2' })
    await anew.writeText('a', 'three')
    await anew.restore('c2')
    expect(await anew.files()).toEqual({ a: 'two' })
  })

  it('images in a folder without a valid description are not a checkpoint', async () => {
    const inner = journaled(true)
    await open(inner).checkpoint()
    await inner.mkdir('/.toolport-checkpoints/journal/c2')
    await inner.mkdir('/.toolport-checkpoints/journal/c3')
    await inner.write('/.toolport-checkpoints/journal/c3/checkpoint', utf8('{"format":1,'))
    await inner.mkdir('/.toolport-checkpoints/journal/c4')
    await inner.write('/.toolport-checkpoints/journal/c4/checkpoint', utf8('{"format":1,"time":1e300}'))
    await inner.mkdir('/.toolport-checkpoints/journal/other')
    const anew = open({ ...inner })
    expect(await anew.checkpoints()).toMatchObject([{ id: 'c1' }])
    expect(await anew.checkpoint()).toMatchObject({ id: 'c5' })
    const names = (await inner.readdir('/.toolport-checkpoints/journal')).map(({ name }) => name).sort()
    expect(names).toEqual(['c1', 'c5', 'other'])
    await inner.write(`${inSegment}/checkpoint`, utf8('{"format":2,"time":0}'))
    await expect(open({ ...inner }).checkpoints()).rejects.toMatchObject({ code: 'ENOTSUP' })
  })
})
