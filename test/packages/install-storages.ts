import { expect } from 'vitest'
import type { FsAdapter } from '../../src/index.js'
import { failure, madeRegistry, network, project } from './install-support.js'

/** Installs real packages on a storage: an update with nested packages, an install that fails in the middle, and a removal. */
export async function installsOn(fs: FsAdapter): Promise<void> {
  const { install, workspace, tree, json } = project(network(), {}, fs)
  await install(['nanoid@4', 'is-odd', 'is-number'])
  expect((await json('node_modules/is-odd/node_modules/is-number/package.json')).version).toBe('6.0.0')
  const before = await tree()
  const stop = new AbortController()
  const onProgress = ({ phase }: { readonly phase: string }): void => {
    if (phase === 'write') stop.abort(new Error('enough'))
  }
  expect((await failure(install(['nanoid@5', 'semver'], { signal: stop.signal, onProgress }))).message).toBe('enough')
  expect(await tree()).toEqual(before)
  expect(await install(['nanoid@5'])).toMatchObject({ updated: [{ name: 'nanoid', from: '4.0.2' }], unchanged: 3 })
  expect((await json('node_modules/nanoid/package.json')).version).toBe('5.1.16')
  expect(await workspace.exists('node_modules/.bin/nanoid')).toBe(fs.symlink !== undefined)
  await keepsInner(fs)
  await workspace.writeText('package.json', '{}')
  expect((await install()).removed.length).toBeGreaterThan(4)
  const left = (await workspace.list('node_modules')).map(({ name }) => name)
  expect(left.filter((name) => name !== '.bin')).toEqual([])
}

async function keepsInner(fs: FsAdapter): Promise<void> {
  const net = await madeRegistry([
    { name: 'a', version: '1.0.0', dependencies: { c: '1' } },
    { name: 'a', version: '1.0.1', dependencies: { c: '1' } },
    { name: 'c', version: '1.0.0' },
    { name: 'c', version: '2.0.0' },
  ])
  const { install, json } = project(net, {}, fs)
  await install(['a@1.0.0', 'c@2'])
  await install(['a@1.0.1'])
  expect((await json('node_modules/a/package.json')).version).toBe('1.0.1')
  expect((await json('node_modules/a/node_modules/c/package.json')).version).toBe('1.0.0')
}
