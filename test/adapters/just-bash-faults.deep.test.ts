// @module-tag virtual-shell
import { type Faults, forEachFault } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import '../shims/buffer-if-missing.js'
import { FAULT_CASES, type FaultCase } from './just-bash-faults-cases.js'
import { damage, isSame, nameOf, place, prepare, treeAfter, treeOf, WRITE_FAULTS } from './just-bash-faults-support.js'

/** Creates the storages of a case, without faults meanwhile. */
async function prepared(faults: Faults, one: FaultCase) {
  faults.stop()
  const all = place(faults)
  await all.shell.exec(prepare + (one.first ?? ''))
  const before = await all.tree()
  faults.start()
  return { ...all, before }
}

describe('a storage that fails or is full from the nth write', () => {
  for (const one of FAULT_CASES) {
    it(nameOf(one), async () => {
      const wanted = await treeAfter(one)
      const body = async (faults: Faults): Promise<void> => {
        const { shell, tree, before } = await prepared(faults, one)
        const { exitCode, stderr } = await shell.exec(one.script)
        faults.stop()
        const after = await tree()
        const [fired] = faults.fired
        const wrong = damage(one, before, wanted, after)
        if (fired && !isSame(after, wanted)) {
          const isUnchanged = isSame(after, before)
          if (exitCode === 0 && !one.several) wrong.push('status 0')
          if (!stderr.includes(fired.fault === 'full' ? 'No space left on device' : 'Input/output error'))
            wrong.push(`says ${JSON.stringify(stderr)}`)
          if (one.whole && isUnchanged !== stderr.includes('nothing was changed')) wrong.push(`says ${JSON.stringify(stderr)}`)
          if (one.whole && fired.fault === 'EIO' && !isUnchanged) wrong.push('part of it was done')
        }
        expect(wrong).toEqual([])
        expect((await shell.exec('echo next > after; cat after')).stdout).toBe('next\n')
      }
      await forEachFault(body, { faults: WRITE_FAULTS })
    })
  }

  it('creates the private directories once there is space', async () => {
    const body = async (faults: Faults): Promise<void> => {
      const { shell } = place(faults)
      const { exitCode } = await shell.exec('echo a > /tmp/a')
      expect(exitCode !== 0).toBe(faults.fired.length > 0)
      faults.stop()
      expect((await shell.exec('echo a > /tmp/a; cat /tmp/a')).stdout).toBe('a\n')
    }
    await forEachFault(body, { faults: ['full'] })
  })
})

describe('an abort at the nth write', () => {
  for (const one of FAULT_CASES) {
    it(nameOf(one), async () => {
      const wanted = await treeAfter(one)
      let abort = new AbortController()
      const body = async (faults: Faults): Promise<void> => {
        abort = new AbortController()
        const { shell, tree, before } = await prepared(faults, one)
        const { aborted } = await shell.exec(one.script, { signal: abort.signal })
        faults.stop()
        expect(damage({ ...one, several: true }, before, wanted, await tree())).toEqual([])
        expect(aborted).toBe(faults.fired.length > 0)
        expect((await shell.exec('echo next > after; cat after')).stdout).toBe('next\n')
      }
      await forEachFault(body, { faults: [{ fault: () => abort.abort(), when: ({ changes }) => changes }] })
    })
  }
})

describe('an abort while the storage is slow', () => {
  const scripts = ['sed -i s/old/new/ l', 'install f l', 'ln -sf f l', 'cp -P --remove-destination f l', 'mv -T /tmp/x l', 'tar xf a.tar']
  it.each(scripts)('leaves no temporary files: %s', async (script) => {
    const { shell, files, open } = place()
    await shell.exec(`${prepare}ln -s g l; tar cf a.tar l; echo tmp > /tmp/x`)
    const names = Object.keys(await treeOf(files))
    const stop = new AbortController()
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const calls: Promise<unknown>[] = []
    const hold =
      <T extends readonly unknown[], R>(method: (...args: T) => Promise<R>) =>
      (...args: T): Promise<R> => {
        stop.abort()
        const call = held.then(() => method(...args))
        calls.push(call)
        return call
      }
    const slow = open({}, { ...files, write: hold(files.write), symlink: hold(files.symlink) })
    expect(await slow.exec(script, { signal: stop.signal })).toMatchObject({ exitCode: null, aborted: true })
    release()
    await Promise.all(calls)
    await expect.poll(async () => Object.keys(await treeOf(files))).toEqual(names)
  })
})
