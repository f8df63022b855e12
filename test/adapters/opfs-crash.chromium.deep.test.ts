// @module-tag opfs
import { describe, expect, it, onTestFinished } from 'vitest'
import { cdp } from 'vitest/browser'
import { type Failure, inside, isSame, namesIn, newName, oddWorker, opfs, pattern, refusal, utf8 } from './opfs-support.js'

const SYSTEM = ['café', 'format-1']
const KIB = 1024

/** An adapter whose worker the test can kill, and whose OPFS calls the test can make fail. */
function controlled(name: string, tricks: Parameters<typeof oddWorker>[0] = {}) {
  let worker: Worker | undefined
  const fs = opfs({
    name,
    worker: () => {
      worker = oddWorker(tricks)()
      return worker
    },
  })
  return { fs, tell: (what: 'heal' | 'break') => worker?.postMessage(what), kill: () => worker?.terminate() }
}

const failing = (name: string, ...fail: Failure[]) => controlled(name, { fail })

async function leftovers(name: string): Promise<string[]> {
  return namesIn(await inside(name, 'system'))
}

describe('a killed worker', () => {
  it('leaves acknowledged writes intact and no partial ones, at 20 moments', async () => {
    const name = newName()
    /** Path -> possible contents: the last acknowledged one, and those of writes that were pending when the worker was killed. */
    const may = new Map<string, (string | undefined)[]>()
    for (let round = 0; round < 20; round++) {
      const { fs, kill } = controlled(name)
      // Each round kills the worker after another number of calls, while others are pending.
      const moment = 1 + ((round * 7) % 23)
      let done = 0
      const call = async (path: string, content: string | undefined, work: () => Promise<void>): Promise<void> => {
        const before = may.get(path) ?? [undefined]
        may.set(path, [...before, content])
        await work()
        may.set(path, [content])
        if (++done === moment) kill()
      }
      const line = async (lane: number): Promise<void> => {
        await fs.mkdir(`/d${lane}`).catch((error: { code: string }) => (error.code === 'EEXIST' ? undefined : Promise.reject(error)))
        for (let i = 0; ; i++) {
          const path = `/d${lane}/f${i % 5}`
          const content = `${round} ${lane} ${i} `.repeat(1 + ((i * 37) % 400))
          await call(path, content, () => fs.write(path, utf8(content)))
          if (i % 4 === 3) await call(path, `${content}tail`, () => fs.append(path, utf8('tail')))
          if (i % 6 === 5) await call(path, undefined, () => fs.unlink(path))
        }
      }
      const ends = await Promise.allSettled([0, 1, 2, 3].map(line))
      for (const end of ends) expect(end).toMatchObject({ status: 'rejected', reason: { name: 'FsError', code: 'EIO' } })
      const again = opfs({ name })
      for (const [path, contents] of may) {
        const found = await again.read(path).then(
          (bytes) => new TextDecoder().decode(bytes),
          (error: { code: string }) => (error.code === 'ENOENT' ? undefined : error.code),
        )
        expect(contents, `${path} in round ${round}`).toContain(found)
        may.set(path, [found])
      }
      const listed: string[] = []
      for (const { name: dir } of await again.readdir('/'))
        for (const each of await again.readdir(`/${dir}`)) listed.push(`/${dir}/${each.name}`)
      expect(listed.sort()).toEqual(
        [...may]
          .filter(([, [content]]) => content !== undefined)
          .map(([path]) => path)
          .sort(),
      )
      await again.close()
      expect(await leftovers(name)).toEqual(SYSTEM)
    }
  })

  it('a kill during a directory rename leaves each file in one place, and reopening completes the rename, at 20 moments', async () => {
    const name = newName()
    const files = Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? `/s/f${i}` : `/f${i}`))
    const first = opfs({ name })
    await first.mkdir('/d0')
    await first.mkdir('/d0/s')
    for (const file of files) await first.write(`/d0${file}`, utf8(`content of ${file}`))
    await first.close()
    let at = 0
    for (let round = 0; round < 20; round++) {
      const { fs, kill } = failing(name, { method: 'move', error: 'stop', after: round + 2, hangs: true })
      let acknowledged = false
      void fs.rename(`/d${at}`, `/d${at + 1}`).then(
        () => (acknowledged = true),
        () => undefined,
      )
      // The worker hangs in the middle of the move.
      await expect.poll(async () => moved(name, at + 1), { interval: 5 }).toBe(round + 2)
      kill()
      expect(acknowledged).toBe(false)
      await fs.close()
      const again = opfs({ name })
      expect((await again.readdir('/')).map((entry) => entry.name)).toEqual([`d${at + 1}`])
      at++
      expect(await again.usage()).toEqual({ bytes: files.join('').length + files.length * 11, files: files.length + 2 })
      for (const file of files) expect(await again.read(`/d${at}${file}`)).toEqual(utf8(`content of ${file}`))
      await again.close()
      expect(await leftovers(name)).toEqual(SYSTEM)
    }
  })
})

/** Number of files in the directory and its subdirectory, counted while the worker moves them. */
async function moved(name: string, dir: number): Promise<number> {
  const top = await (await inside(name, 'files')).getDirectoryHandle(`d${dir}`).catch(() => undefined)
  const below = await top?.getDirectoryHandle('s').catch(() => undefined)
  const names = [...(top ? await namesIn(top) : []), ...(below ? await namesIn(below) : [])]
  return names.filter((each) => each !== 's').length
}

describe('leftovers of a crash', () => {
  it('temporary files and incomplete journal entries are removed by opening', async () => {
    const name = newName()
    const fs = opfs({ name })
    await fs.write('/a', utf8('x'))
    await fs.close()
    const system = await inside(name, 'system')
    for (const left of ['temp-1', 'temp-77', 'intent-3']) {
      const writable = await (await system.getFileHandle(left, { create: true })).createWritable()
      await writable.write('{"kind":"rena')
      await writable.close()
    }
    const again = opfs({ name })
    expect(await again.readdir('/')).toEqual([{ name: 'a', kind: 'file' }])
    expect(await leftovers(name)).toEqual(SYSTEM)
  })

  it('a partial append is cut off by opening, and unrelated files stay', async () => {
    const name = newName()
    const fs = opfs({ name })
    const big = pattern(300 * KIB)
    await fs.write('/big', big)
    await fs.write('/other', big)
    await fs.close()
    await note(name, { kind: 'append', path: '/big', size: big.length })
    await note(name, { kind: 'append', path: '/other', size: big.length }, 2)
    await note(name, { kind: 'append', path: '/none', size: 5 }, 3)
    const file = await (await inside(name, 'files')).getFileHandle('big')
    const writable = await file.createWritable({ keepExistingData: true })
    await writable.write({ type: 'write', position: big.length, data: 'half of a li' })
    await writable.close()
    const again = opfs({ name })
    expect(isSame(await again.read('/big'), big)).toBe(true)
    expect(isSame(await again.read('/other'), big)).toBe(true)
    expect(await leftovers(name)).toEqual(SYSTEM)
  })

  for (const without of [[], ['move']] as const) {
    it(`a partial rename is completed by opening${without.length > 0 ? ' where files cannot be moved' : ''}`, async () => {
      const name = newName()
      const worker = oddWorker({ without })
      const fs = opfs({ name, worker })
      // The state after a crash during a move: `from` has the remaining files, `to` the moved ones, and one file is in both.
      for (const dir of ['/from', '/from/s', '/to', '/x']) await fs.mkdir(dir)
      await fs.write('/from/a', utf8('a'))
      await fs.write('/from/s/b', utf8('b'))
      await fs.write('/to/c', utf8('c'))
      await fs.write('/to/a', utf8('a'))
      await fs.write('/file', utf8('file'))
      await fs.close()
      await note(name, { kind: 'rename', from: '/from', to: '/to' })
      await note(name, { kind: 'rename', from: '/file', to: '/x/file' }, 2)
      await note(name, { kind: 'rename', from: '/gone', to: '/other' }, 3)
      const again = opfs({ name, worker })
      expect((await again.readdir('/')).map((entry) => entry.name).sort()).toEqual(['to', 'x'])
      expect([await again.read('/to/a'), await again.read('/to/s/b'), await again.read('/to/c'), await again.read('/x/file')]).toEqual(
        ['a', 'b', 'c', 'file'].map(utf8),
      )
      await again.close()
      expect(await leftovers(name)).toEqual(SYSTEM)
    })
  }

  it('an unfilled new file is removed by opening where files cannot be moved', async () => {
    const name = newName()
    const worker = oddWorker({ without: ['move'] })
    const fs = opfs({ name, worker })
    await fs.write('/new', new Uint8Array(0))
    await fs.write('/whole', utf8('x'))
    await fs.close()
    await note(name, { kind: 'create', path: '/new' })
    await note(name, { kind: 'create', path: '/whole' }, 2)
    expect((await opfs({ name, worker }).readdir('/')).map((entry) => entry.name)).toEqual(['whole'])
  })
})

async function note(name: string, intent: object, number = 1): Promise<void> {
  const file = await (await inside(name, 'system')).getFileHandle(`intent-${number}`, { create: true })
  const writable = await file.createWritable()
  await writable.write(JSON.stringify(intent))
  await writable.close()
}

/** Overrides the browser's quota for this page. Without a number, restores the default. */
async function limitQuota(quotaSize?: number): Promise<void> {
  onTestFinished(async () => void (await override()))
  await override(quotaSize)
}

const override = (quotaSize?: number): Promise<unknown> =>
  cdp().send('Storage.overrideQuotaForOrigin', { origin: location.origin, ...(quotaSize !== undefined && { quotaSize }) })

describe('a browser error', () => {
  const full: readonly Failure[] = [
    { method: 'write', error: 'QuotaExceededError' },
    { method: 'write', error: '', partly: true },
  ]
  for (const failure of full) {
    it(`a browser error for lack of space (${failure.partly ? 'in the middle' : 'at once'}) is ENOSPC and changes nothing`, async () => {
      const name = newName()
      const { fs, tell } = failing(name, { ...failure, after: 0 })
      await fs.open()
      tell('heal')
      const big = pattern(300 * KIB)
      await fs.write('/big', big)
      await fs.write('/small', utf8('small'))
      await fs.mkdir('/d')
      const before = [await fs.usage(), await fs.lstat('/big'), await fs.lstat('/small')]
      tell('break')
      const calls = [
        () => fs.write('/small', pattern(1000)),
        () => fs.write('/new', pattern(1000)),
        () => fs.write('/d/new', pattern(1000), { create: 'exclusive' }),
        () => fs.append('/small', pattern(100)),
        () => fs.append('/big', pattern(100)),
        () => fs.copy('/big', '/small'),
        () => fs.copy('/big', '/new'),
      ]
      for (const call of calls) await expect(call()).rejects.toThrow(refusal('ENOSPC', 'gives this site no more storage'))
      expect([await fs.usage(), await fs.lstat('/big'), await fs.lstat('/small')]).toEqual(before)
      tell('heal')
      expect(isSame(await fs.read('/big'), big)).toBe(true)
      await fs.append('/big', utf8('more'))
      await fs.close()
      expect(await leftovers(name)).toEqual(SYSTEM)
      const again = opfs({ name })
      expect(await again.read('/small')).toEqual(utf8('small'))
      expect(await again.usage()).toEqual({ bytes: 300 * KIB + 9, files: 3 })
      await again.unlink('/big')
    })
  }

  for (const without of [[], ['move']] as const) {
    it(`an exceeded quota is ENOSPC and changes nothing${without.length > 0 ? ', where files cannot be moved' : ''}`, async () => {
      const name = newName()
      const fs = opfs({ name, worker: oddWorker({ without }) })
      const big = pattern(2 * KIB * KIB)
      await fs.write('/big', big)
      await fs.write('/small', utf8('small'))
      await fs.mkdir('/d')
      await fs.write('/d/big', big)
      await fs.usage()
      await limitQuota(KIB * KIB)
      const calls = [
        () => fs.write('/big', pattern(3 * KIB * KIB)),
        () => fs.write('/small', big),
        () => fs.write('/new', big),
        () => fs.append('/big', big),
        () => fs.append('/small', big),
        () => fs.copy('/big', '/new'),
        () => fs.copy('/big', '/small'),
        ...(without.length > 0
          ? [() => fs.rename('/big', '/new'), () => fs.rename('/big', '/small'), () => fs.rename('/d', '/moved')]
          : []),
      ]
      for (const call of calls) await expect(call(), String(call)).rejects.toThrow(refusal('ENOSPC', 'gives this site no more storage'))
      expect(await fs.usage()).toEqual({ bytes: 2 * big.length + 5, files: 4 })
      expect(isSame(await fs.read('/big'), big)).toBe(true)
      expect(isSame(await fs.read('/d/big'), big)).toBe(true)
      // Files can be removed although the storage is full.
      await fs.unlink('/big')
      await fs.rmTree('/d')
      await limitQuota()
      await fs.write('/new', big)
      await fs.close()
      expect(await leftovers(name)).toEqual(SYSTEM)
      const again = opfs({ name })
      expect(await again.read('/small')).toEqual(utf8('small'))
      expect(isSame(await again.read('/new'), big)).toBe(true)
    })
  }

  it('a browser error for a file in use is retried and then becomes EBUSY', async () => {
    const busy = { method: 'move', error: 'NoModificationAllowedError' } as const
    const passing = failing(newName(), { ...busy, times: 3 })
    await passing.fs.write('/a', utf8('x'))
    expect(await passing.fs.read('/a')).toEqual(utf8('x'))
    const staying = failing(newName(), busy)
    await expect(staying.fs.write('/a', utf8('x'))).rejects.toThrow(refusal('EBUSY', 'another part of this site'))
    await expect(staying.fs.lstat('/a')).rejects.toThrow(refusal('ENOENT', '/a'))
  })

  it('a browser error for a file that the page holds open is EBUSY until it is closed', async () => {
    const name = newName()
    const fs = opfs({ name })
    await fs.write('/a', utf8('x'))
    const writable = await (await (await inside(name, 'files')).getFileHandle('a')).createWritable()
    await expect(fs.write('/a', utf8('y'))).rejects.toThrow(refusal('EBUSY', 'another part of this site'))
    expect(await fs.read('/a')).toEqual(utf8('x'))
    await writable.abort()
    await fs.write('/a', utf8('y'))
    expect(await fs.read('/a')).toEqual(utf8('y'))
  })

  it('a browser error while reading is retried once and then becomes EIO', async () => {
    const unreadable = { method: 'getFile', error: 'NotReadableError' } as const
    const once = failing(newName(), { ...unreadable, times: 1 })
    await once.fs.write('/a', utf8('x'))
    expect(await once.fs.read('/a')).toEqual(utf8('x'))
    const always = failing(newName(), unreadable)
    await always.fs.write('/a', utf8('x'))
    await expect(always.fs.read('/a')).rejects.toThrow(refusal('EIO', 'cannot read it'))
  })

  it('a browser error in the middle of a directory rename reverts the rename', async () => {
    const name = newName()
    const { fs, tell } = failing(name, { method: 'move', error: 'UnknownError', after: 3, times: 1 })
    await fs.open()
    tell('heal')
    await fs.mkdir('/d')
    await fs.mkdir('/d/e')
    await fs.mkdir('/empty')
    for (let i = 0; i < 8; i++) await fs.write(`/d/${i % 2 ? 'e/' : ''}${i}`, utf8(`${i}`))
    // More files than are moved at once: the other moves must not continue while the move is undone.
    await Promise.all(Array.from({ length: 60 }, (_, i) => fs.write(`/d/more-${i}`, utf8('x'))))
    const look = async (on = fs) => [await on.usage(), (await on.readdir('/')).map((each) => each.name).sort(), await on.read('/d/e/7')]
    const before = await look()
    tell('break')
    await expect(fs.rename('/d', '/empty')).rejects.toThrow(refusal('EIO', 'failed'))
    expect(await look()).toEqual(before)
    expect(await fs.readdir('/empty')).toEqual([])
    await fs.rename('/d', '/n')
    expect(await fs.read('/n/e/7')).toEqual(utf8('7'))
    await fs.rename('/n', '/d')
    await fs.close()
    expect(await leftovers(name)).toEqual(SYSTEM)
    expect(await look(opfs({ name }))).toEqual(before)
  })

  it('a browser error that persists during the revert is EIO for all calls until reopening completes the rename', async () => {
    const name = newName()
    const { fs, tell } = failing(name, { method: 'move', error: 'UnknownError', after: 3 })
    await fs.open()
    tell('heal')
    await fs.mkdir('/d')
    for (let i = 0; i < 8; i++) await fs.write(`/d/${i}`, utf8(`${i}`))
    await fs.usage()
    tell('break')
    await expect(fs.rename('/d', '/n')).rejects.toThrow(refusal('EIO', 'done by half'))
    tell('heal')
    for (const call of [
      () => fs.read('/d/1'),
      () => fs.lstat('/d'),
      () => fs.mkdir('/d'),
      () => fs.write('/x', utf8('x')),
      () => fs.flush(),
    ]) {
      await expect(call()).rejects.toThrow(refusal('EIO', 'done by half'))
    }
    await fs.close()
    const again = opfs({ name })
    expect((await again.readdir('/')).map((each) => each.name)).toEqual(['n'])
    expect(await again.usage()).toEqual({ bytes: 8, files: 9 })
  })

  it('a browser error that prevents the revert of a partial append is EIO for all calls until reopening cuts it off', async () => {
    const name = newName()
    // The first write, the journal's entry, is complete.
    const { fs, tell } = failing(
      name,
      { method: 'write', error: '', after: 1, partly: true },
      { method: 'truncate', error: 'UnknownError' },
    )
    await fs.open()
    tell('heal')
    const big = pattern(300 * KIB)
    await fs.write('/big', big)
    tell('break')
    await expect(fs.append('/big', pattern(1000))).rejects.toThrow(refusal('EIO', 'done by half'))
    await expect(fs.read('/big')).rejects.toThrow(refusal('EIO', 'done by half'))
    await fs.close()
    expect(isSame(await opfs({ name }).read('/big'), big)).toBe(true)
  })

  it('a browser error on removing a temporary file changes nothing, and reopening removes it', async () => {
    const name = newName()
    const { fs } = failing(name, { method: 'move', error: 'UnknownError' }, { method: 'removeEntry', error: 'UnknownError', on: 'temp-' })
    await expect(fs.write('/a', utf8('x'))).rejects.toThrow(refusal('EIO', 'failed'))
    await fs.close()
    expect(await leftovers(name)).toEqual([...SYSTEM, 'temp-1'])
    expect(await opfs({ name }).readdir('/')).toEqual([])
    expect(await leftovers(name)).toEqual(SYSTEM)
  })
})
