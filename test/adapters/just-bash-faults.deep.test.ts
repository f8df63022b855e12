// @module-tag virtual-shell
import { describe, expect, it } from 'vitest'
import '../shims/buffer-if-missing.js'
import { FAULT_CASES, type FaultCase } from './just-bash-faults-cases.js'
import { damage, type FaultOptions, isSame, nameOf, place, prepare, type Tree, treeAfter, treeOf } from './just-bash-faults-support.js'

const WORDS = { once: 'Input/output error', full: 'No space left on device' } as const

async function failing(one: FaultCase, fault: FaultOptions, wanted: Tree): Promise<{ readonly failed: boolean; readonly wrong: string[] }> {
  const { faults, shell, tree } = place()
  await shell.exec(prepare + (one.first ?? ''))
  const before = await tree()
  faults.arm(fault)
  const { exitCode, stderr } = await shell.exec(one.script)
  const failed = faults.disarm()
  const after = await tree()
  const wrong = damage(one, before, wanted, after)
  if (failed && !isSame(after, wanted)) {
    if (exitCode === 0 && !one.several) wrong.push('status 0')
    if (!stderr.includes(WORDS[fault.kind])) wrong.push(`says ${JSON.stringify(stderr)}`)
    if (one.whole && isSame(after, before) !== stderr.includes('nothing was changed')) wrong.push(`says ${JSON.stringify(stderr)}`)
    if (one.whole && fault.kind === 'once' && !isSame(after, before)) wrong.push('part of it was done')
  }
  const next = fault.at > 1 ? undefined : await shell.exec('echo next > after; cat after')
  if (next && next.stdout !== 'next\n') wrong.push(`the next command says ${JSON.stringify(next.stdout + next.stderr)}`)
  return { failed, wrong: wrong.map((text) => `${fault.kind} ${fault.at}: ${text}`) }
}

describe('a storage that fails or is full from the n-th write on', () => {
  for (const one of FAULT_CASES) {
    it(nameOf(one), async () => {
      const wanted = await treeAfter(one)
      const wrong: string[] = []
      for (const kind of ['once', 'full'] as const) {
        for (let at = 1; ; at++) {
          const result = await failing(one, { kind, at }, wanted)
          wrong.push(...result.wrong)
          if (!result.failed) break
        }
      }
      expect(wrong).toEqual([])
    })
  }

  it('the private directories are made as soon as there is room', async () => {
    const { faults, shell } = place()
    faults.arm({ kind: 'full', at: 1 })
    expect((await shell.exec('echo a > /tmp/a')).exitCode).not.toBe(0)
    faults.disarm()
    expect((await shell.exec('echo a > /tmp/a; cat /tmp/a')).stdout).toBe('a\n')
  })
})

describe('an abort at the n-th write', () => {
  for (const one of FAULT_CASES) {
    it(nameOf(one), async () => {
      const wanted = await treeAfter(one)
      const wrong: string[] = []
      for (let at = 1; ; at++) {
        const { faults, shell, tree } = place()
        await shell.exec(prepare + (one.first ?? ''))
        const before = await tree()
        const abort = new AbortController()
        faults.arm({ kind: 'once', at, instead: () => abort.abort() })
        const { aborted } = await shell.exec(one.script, { signal: abort.signal })
        const failed = faults.disarm()
        wrong.push(...damage({ ...one, several: true }, before, wanted, await tree()).map((text) => `${at}: ${text}`))
        if (failed && !aborted) wrong.push(`${at}: not aborted`)
        const next = await shell.exec('echo next > after; cat after')
        if (next.stdout !== 'next\n') wrong.push(`${at}: the next command says ${JSON.stringify(next.stdout + next.stderr)}`)
        if (!failed) break
      }
      expect(wrong).toEqual([])
    })
  }
})

describe('a stop while the storage is slow', () => {
  const scripts = ['sed -i s/old/new/ l', 'install f l', 'ln -sf f l', 'cp -P --remove-destination f l', 'mv -T /tmp/x l', 'tar xf a.tar']
  it.each(scripts)('leaves nothing beside the file: %s', async (script) => {
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
