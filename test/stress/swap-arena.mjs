// A root, a directory outside of it, and a thread that keeps swapping parts of the root for symlinks that lead outside.
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

export const INSIDE = 'inside'
/** Has another length than `INSIDE`, so that a size alone reveals an escape. */
export const OUTSIDE = 'OUTSIDE: nothing of this may ever come through'

// Node has no atomic exchange of two paths, so in each swap the name is missing for a moment. `control` holds [stop flag, number of swaps].
const SWAPPER = `
const { renameSync } = require('node:fs')
const { workerData: { root, control } } = require('node:worker_threads')
const names = ['d', 'p', 'leaf.txt']
const move = (from, to) => { try { renameSync(root + from, root + to) } catch {} }
while (Atomics.load(control, 0) === 0) {
  for (const name of names) { move('/' + name, '/.real-' + name); move('/.link-' + name, '/' + name) }
  for (const name of names) { move('/' + name, '/.link-' + name); move('/.real-' + name, '/' + name) }
  Atomics.add(control, 1, 1)
}
`

/** @param {string} directory @param {string} text */
function fill(directory, text) {
  mkdirSync(join(directory, 'q/tree/deep'), { recursive: true })
  mkdirSync(join(directory, 'tree/deep'), { recursive: true })
  mkdirSync(join(directory, text === OUTSIDE ? 'outside-only' : 'inside-only'))
  for (const name of ['secret.txt', 'victim.txt', 'log.txt', 'q/secret.txt', 'tree/deep/file.txt'])
    writeFileSync(join(directory, name), text)
  symlinkSync(text === OUTSIDE ? 'outside-target' : 'inside-target', join(directory, 'pointer'))
}

/** All metadata below `directory` that a call could change. @param {string} directory @returns {string} */
function fingerprint(directory) {
  const stat = lstatSync(directory, { bigint: true })
  const own = `${directory} ${stat.mode} ${stat.nlink} ${stat.mtimeNs} ${stat.ctimeNs}`
  if (stat.isSymbolicLink()) return `${own} ${readlinkSync(directory)}`
  if (!stat.isDirectory()) return `${own} ${readFileSync(directory, 'utf8')}`
  const below = readdirSync(directory).sort()
  return [own, ...below.map((name) => fingerprint(join(directory, name)))].join('\n')
}

export function createArena() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-swap-')))
  const root = join(base, 'root')
  const outside = join(base, 'outside')
  const control = new Int32Array(new SharedArrayBuffer(8))
  /** @type {Worker | undefined} */
  let worker
  let before = ''

  function resetOutside() {
    rmSync(outside, { recursive: true, force: true })
    mkdirSync(outside)
    fill(outside, OUTSIDE)
    // Sets old times, so that a change shows even within one tick of the file system's clock.
    for (const entry of [...readdirSync(outside, { recursive: true, encoding: 'utf8' }).filter((name) => name !== 'pointer'), '.']) {
      utimesSync(join(outside, entry), 1, 1)
    }
    before = fingerprint(outside)
  }

  mkdirSync(root)
  for (const name of ['d', 'p']) {
    mkdirSync(join(root, name))
    fill(join(root, name), INSIDE)
    symlinkSync(outside, join(root, `.link-${name}`))
  }
  writeFileSync(join(root, 'leaf.txt'), INSIDE)
  symlinkSync(join(outside, 'secret.txt'), join(root, '.link-leaf.txt'))
  resetOutside()

  return {
    root,
    outside,
    get swaps() {
      return Atomics.load(control, 1)
    },
    async start() {
      worker = new Worker(SWAPPER, { eval: true, workerData: { root, control } })
      while (Atomics.load(control, 1) === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    },
    /** Whether something outside was changed since the last call. Restores what was changed. */
    touched() {
      if (fingerprint(outside) === before) return false
      resetOutside()
      return true
    },
    async dispose() {
      Atomics.store(control, 0, 1)
      if (worker) await new Promise((resolve) => worker?.once('exit', resolve))
      rmSync(base, { recursive: true, force: true })
    },
  }
}
