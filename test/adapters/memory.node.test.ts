// @module-tag memory
// @module-tag testing
import { expect, test } from 'vitest'
import { append, copy, write } from '../../adapters/memory/contents.js'
import { mkdir, rename, rmTree, setMeta, symlink } from '../../adapters/memory/entries.js'
import type { DirNode } from '../../adapters/memory/inode.js'
import { Tree } from '../../adapters/memory/tree.js'
import fc from '../fast-check.js'

interface Step {
  readonly call: 'mkdir' | 'write' | 'append' | 'copy' | 'rename' | 'rmTree' | 'setMeta' | 'symlink' | 'keep' | 'restore'
  readonly a: string
  readonly b: string
  readonly bytes: Uint8Array
}

interface State {
  readonly root: DirNode
  readonly bytes: number
  readonly files: number
}

function describeTree(dir: DirNode, path = '', into: Record<string, unknown> = {}): Record<string, unknown> {
  into[`${path}/`] = dir.stat()
  for (const { name } of dir.list()) {
    const node = dir.get(name)
    if (node?.kind === 'dir') describeTree(node, `${path}/${name}`, into)
    else if (node?.kind === 'file') into[`${path}/${name}`] = [node.stat(), ...node.content()]
    else into[`${path}/${name}`] = node?.target
  }
  return into
}

const stateOf = ({ root, bytes, files }: Tree): State => ({ root, bytes, files })

function act(tree: Tree, { call, a, b, bytes }: Step): void {
  if (call === 'mkdir') mkdir(tree, a)
  if (call === 'write') write(tree, a, bytes, 'always')
  if (call === 'append') append(tree, a, bytes)
  if (call === 'copy') copy(tree, a, b)
  if (call === 'rename') rename(tree, a, b)
  if (call === 'rmTree') rmTree(tree, a)
  if (call === 'setMeta') setMeta(tree, a, { mode: bytes.length, mtimeMs: bytes.length })
  if (call === 'symlink') symlink(tree, b, a)
}

const path = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 3, size: 'max' }).map((names) => `/${names.join('/')}`)
const names = ['mkdir', 'write', 'append', 'append', 'copy', 'rename', 'rmTree', 'setMeta', 'symlink', 'keep', 'restore'] as const
const step: fc.Arbitrary<Step> = fc.record({ call: fc.constantFrom(...names), a: path, b: path, bytes: fc.uint8Array({ maxLength: 5 }) })

test('a kept state of the memory storage never changes, whatever is done or restored later', () => {
  const holds = fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
    let time = 0
    const tree = new Tree({ now: () => ++time, maxBytes: 1000, maxFiles: 1000 })
    const kept: { state: State; description: unknown }[] = []
    for (const each of steps) {
      if (each.call === 'keep') {
        kept.push({ state: stateOf(tree), description: describeTree(tree.root) })
        tree.epoch++
      }
      const earlier = kept[each.bytes.length % kept.length]
      if (each.call === 'restore' && earlier) {
        Object.assign(tree, earlier.state)
        tree.epoch++
        expect(describeTree(tree.root)).toEqual(earlier.description)
      }
      try {
        act(tree, each)
      } catch (error) {
        // A rejected call must not change the checkpoints either.
        expect(error).toMatchObject({ name: 'FsError' })
      }
    }
    for (const { state, description } of kept) expect(describeTree(state.root)).toEqual(description)
  })
  fc.assert(holds, { numRuns: 500 })
})

test('spare capacity left by an append is used by one state only', () => {
  const tree = new Tree({ now: () => 0, maxBytes: 1000, maxFiles: 1000 })
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  write(tree, '/a', bytes('12345678'), 'always')
  append(tree, '/a', bytes('9'))
  const first = stateOf(tree)
  tree.epoch++
  append(tree, '/a', bytes('A'))
  const second = stateOf(tree)
  Object.assign(tree, first)
  tree.epoch++
  append(tree, '/a', bytes('B'))
  const content = (root: DirNode): unknown => describeTree(root)['/a']
  expect(content(first.root)).toMatchObject({ length: 10, 9: bytes('9')[0] })
  expect(content(second.root)).toMatchObject({ length: 11, 10: bytes('A')[0] })
  expect(content(tree.root)).toMatchObject({ length: 11, 10: bytes('B')[0] })
})
