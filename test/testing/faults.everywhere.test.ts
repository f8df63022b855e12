// @module-tag test-kit
import { createWorkspace, type FetchAdapter, type JsAdapter } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createTestHost, createTestRuntime, type Fault, type FaultKind, forEachFault, virtualShell, withFaults } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import '../shims/buffer-if-missing.js'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = async (fs: { read(path: string): Promise<Uint8Array> }, path: string): Promise<string> =>
  new TextDecoder().decode(await fs.read(path))

/** A storage with the file `/a`, and the same storage with faults. */
function storage(plan: Fault | readonly Fault[]) {
  const real = createMemoryFs({ files: { a: 'old' } })
  return { real, fs: withFaults(real, plan) }
}

describe('withFaults', () => {
  it('fails with a code at the nth operation, changes nothing, and lists the operations', async () => {
    const { fs, real } = storage({ fault: 'EACCES', at: 2 })
    await fs.write('/b', bytes('b'))
    await expect(fs.write('/a', bytes('new'))).rejects.toMatchObject({ name: 'FsError', code: 'EACCES', path: '/a' })
    await fs.rename('/b', '/c')
    expect(await text(real, '/a')).toBe('old')
    expect(fs.faults.operations.map(({ number, adapter, method, path, changes }) => [number, adapter, method, path, changes])).toEqual([
      [1, 'memory', 'write', '/b', true],
      [2, 'memory', 'write', '/a', true],
      [3, 'memory', 'rename', '/b', true],
    ])
    expect(fs.faults.fired).toMatchObject([{ fault: 'EACCES', operation: { number: 2 } }])
  })

  it('reports both paths of a rename, and the path of a link', async () => {
    const { fs } = storage({ fault: 'EIO' })
    await expect(fs.rename('/a', '/b')).rejects.toMatchObject({ path: '/a', dest: '/b' })
    await expect(fs.symlink('a', '/l')).rejects.toMatchObject({ path: '/l' })
  })

  it('completes an operation whose acknowledgement is lost', async () => {
    const { fs, real } = storage({ fault: 'unacknowledged', when: ({ changes }) => changes })
    await expect(fs.write('/a', bytes('new'))).rejects.toMatchObject({ code: 'EIO' })
    expect(await text(fs, '/a')).toBe('new')
    expect(await text(real, '/a')).toBe('new')
  })

  it('writes half of a torn write or append', async () => {
    const { fs, real } = storage({ fault: 'torn' })
    await expect(fs.write('/a', bytes('abcd'))).rejects.toMatchObject({ code: 'EIO' })
    await expect(fs.append('/a', bytes('123456'))).rejects.toMatchObject({ code: 'EIO' })
    await fs.write('/empty', new Uint8Array())
    expect(await text(real, '/a')).toBe('ab123')
  })

  it('rejects writes on a full disk, but allows reads and removals', async () => {
    const { fs, real } = storage({ fault: 'full', at: 2 })
    await fs.write('/a', bytes('new'))
    await expect(fs.mkdir('/d')).rejects.toMatchObject({ code: 'ENOSPC' })
    await expect(fs.write('/a', bytes('newer'))).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(await text(fs, '/a')).toBe('new')
    await fs.unlink('/a')
    expect(await real.readdir('/')).toEqual([])
  })

  it('applies a limit in bytes', async () => {
    const { fs, real } = storage({ fault: 'full', bytes: 5 })
    await fs.write('/a', bytes('123'))
    await expect(fs.append('/a', bytes('456'))).rejects.toMatchObject({ code: 'ENOSPC' })
    await fs.mkdir('/d')
    await fs.append('/a', bytes('45'))
    expect(await text(real, '/a')).toBe('12345')
  })

  it.each(['disconnect', 'kill'] as const)('after %s rejects everything until it is stopped', async (fault) => {
    const { fs, real } = storage({ fault, at: 2 })
    await fs.write('/b', bytes('b'))
    await expect(fs.write('/a', bytes('new'))).rejects.toMatchObject({ code: 'EIO' })
    await expect(fs.unlink('/a')).rejects.toMatchObject({ code: 'EIO' })
    await expect(fs.read('/b')).rejects.toMatchObject({ code: 'EIO' })
    expect(await text(real, '/a')).toBe(fault === 'kill' ? 'new' : 'old')
    fs.faults.stop()
    expect(await text(fs, '/b')).toBe('b')
    expect(fs.faults.fired).toHaveLength(3)
  })

  it('lets another writer change a file between two operations', async () => {
    const { fs } = storage({ fault: 'stale', when: ({ method }) => method === 'read' })
    const workspace = createWorkspace({ fs })
    const { version } = await workspace.stat('a')
    await workspace.readText('a')
    await expect(workspace.writeText('a', 'new', { expect: version })).rejects.toMatchObject({ code: 'ESTALE' })
    fs.faults.stop()
    expect(await text(fs, '/a')).toBe('old\n')
  })

  it('calls a function, such as a slow operation or a clock jump', async () => {
    const host = createTestHost({ now: 1000 })
    const { fs } = storage([
      { fault: () => host.sleep(5000), at: 1 },
      { fault: () => host.advance(60_000), at: 2 },
      { fault: () => host.advance(-60_000), at: 3 },
    ])
    let isDone = false
    const slow = fs.write('/a', bytes('slow')).then(() => {
      isDone = true
    })
    await host.advance(4999)
    expect(isDone).toBe(false)
    await host.advance(1)
    await slow
    expect(host.now()).toBe(6000)
    await fs.read('/a')
    expect(host.now()).toBe(66_000)
    await fs.read('/a')
    expect(host.now()).toBe(6000)
  })

  it('stores the bytes at the time of the call', async () => {
    const host = createTestHost()
    const { fs } = storage({ fault: () => host.sleep(1) })
    const content = bytes('first')
    const write = fs.write('/b', content)
    content.fill(0)
    await host.advance(1)
    await write
    fs.faults.stop()
    expect(await text(fs, '/b')).toBe('first')
  })

  it('draws faults from a seed', async () => {
    const fired = async (seed: number): Promise<number[]> => {
      const { fs } = storage({ fault: 'EIO', chance: 0.3, seed })
      for (let i = 0; i < 20; i++) await fs.read('/a').catch(() => undefined)
      return fs.faults.fired.map(({ operation }) => operation.number)
    }
    const first = await fired(7)
    expect(first.length).toBeGreaterThan(1)
    expect(first.length).toBeLessThan(20)
    expect(await fired(7)).toEqual(first)
    expect(await fired(8)).not.toEqual(first)
  })

  it('counts operations of several adapters together, and restarts with start()', async () => {
    const { fs } = storage({ fault: 'EIO', at: 2 })
    const other = withFaults(createMemoryFs(), fs.faults)
    await fs.lstat('/a')
    await expect(other.mkdir('/d')).rejects.toMatchObject({ code: 'EIO' })
    fs.faults.start()
    await other.mkdir('/d')
    await expect(fs.lstat('/a')).rejects.toMatchObject({ code: 'EIO' })
    expect(other.faults.operations).toHaveLength(2)
  })

  it('fails shells and JavaScript adapters with their documented errors', async () => {
    const workspace = createWorkspace({ fs: createMemoryFs() })
    const shell = withFaults(virtualShell()(workspace), { fault: 'EIO', at: 1 })
    await expect(shell.exec('echo a')).rejects.toMatchObject({ name: 'ShellError', code: 'spawn_failed' })
    expect(await shell.exec('echo a')).toMatchObject({ stdout: 'a\n' })
    expect(shell.faults.operations).toMatchObject([{ method: 'exec', args: ['echo a'] }, {}])
    const fetch = withFaults<FetchAdapter>({ name: 'none', fetch: () => Promise.reject(new Error('not reached')) }, { fault: 'disconnect' })
    await expect(fetch.fetch({ url: 'https://example.com' })).rejects.toMatchObject({ name: 'NetworkError', code: 'network' })
    const can = { hardKill: false, memoryCap: false, nodeApi: false, isolated: true }
    const js = withFaults<JsAdapter>({ name: 'none', can, run: () => Promise.reject(new Error('not reached')) }, { fault: 'EIO' })
    await expect(js.run({ code: '' })).rejects.toMatchObject({ name: 'JsError', code: 'spawn_failed' })
    expect(js.can).toBe(can)
  })

  it('affects checkpoints of a storage', async () => {
    const { fs, real } = storage({ fault: 'EIO', when: ({ method }) => method.startsWith('checkpoint.') })
    const before = await fs.checkpoint?.()
    await fs.write('/a', bytes('new'))
    const after = await fs.checkpoint?.()
    await expect(before?.read('/a')).rejects.toMatchObject({ name: 'FsError', code: 'EIO', path: '/a' })
    await expect(before?.lstat('/a')).rejects.toMatchObject({ code: 'EIO' })
    await expect(before?.diff(after)).rejects.toMatchObject({ code: 'EIO' })
    expect(fs.faults.operations.map(({ method }) => method)).toEqual([
      ...['checkpoint', 'write', 'checkpoint', 'checkpoint.read', 'checkpoint.lstat', 'checkpoint.diff'],
    ])
    fs.faults.stop()
    // Checkpoints of the wrapped and the unwrapped storage are interchangeable.
    expect(await before?.diff(after)).toMatchObject([{ path: '/a' }])
    expect(await before?.diff(await real.checkpoint?.())).toMatchObject([{ path: '/a' }])
    expect(await text(before as never, '/a')).toBe('old')
  })

  it('affects input, signals and exit of shell processes', async () => {
    const workspace = createWorkspace({ fs: createMemoryFs() })
    const shell = withFaults(virtualShell()(workspace), [
      { fault: 'EIO', at: 1, when: ({ method }) => method === 'process.write' },
      { fault: 'unacknowledged', at: 1, when: ({ method }) => method === 'process.kill' },
      { fault: 'EIO', at: 1, when: ({ method }) => method === 'process.exited' },
    ])
    let printed = ''
    const onOutput = ({ text }: { readonly text: string }): void => {
      printed += text
    }
    const read = await shell.spawn?.('read line; echo "got $line"; read more', { onOutput })
    await expect(read?.write('lost\n')).rejects.toMatchObject({ name: 'ShellError', code: 'not_running' })
    await read?.write('kept\n')
    while (printed === '') await createTestHost().yield()
    await expect(read?.kill('SIGKILL')).rejects.toMatchObject({ name: 'ShellError' })
    expect(await read?.exited).toEqual({ exitCode: null })
    expect(printed).toBe('got kept\n')
    expect(shell.faults.operations.map(({ method, changes }) => [method, changes])).toEqual([
      ['spawn', true],
      ['process.write', true],
      ['process.write', true],
      ['process.kill', true],
      ['process.exited', false],
    ])
    expect(await (await shell.spawn?.('exit 3'))?.exited).toMatchObject({ exitCode: 3 })
  })

  it('affects checkpoints and processes of a runtime', async () => {
    const methods = new Set<string>()
    await forEachFault(
      async (faults) => {
        const shell = virtualShell()
        const { runtime, files, host } = createTestRuntime({
          files: { 'a.txt': 'old' },
          faults,
          checkpoints: { automatic: true },
          shell: (workspace) => withFaults(shell(workspace), faults),
        })
        await runtime.execute({ name: 'write_file', input: { path: 'a.txt', content: 'new' } })
        const { output } = await runtime.execute({ name: 'list_checkpoints', input: {} })
        const [first] = (output as { checkpoints?: { id: string }[] } | undefined)?.checkpoints ?? []
        await runtime.execute({ name: 'restore_checkpoint', input: { checkpoint: first?.id ?? 'none' } })
        const bash = await runtime.execute({ name: 'bash', input: { command: 'read line', run_in_background: true } })
        const { session_id = 'none' } = bash.output as { readonly session_id?: string }
        await runtime.execute({ name: 'write_background_bash', input: { session_id, input: 'x' } })
        faults.stop()
        expect(['old', 'new']).toContain((await files())['a.txt'])
        for (const { operation } of faults.fired) methods.add(operation.method)
        const disposed = runtime.dispose()
        await host.advance(60_000)
        await disposed
      },
      { faults: [{ fault: 'EIO', when: ({ method }) => /^(?:checkpoint|process)/.test(method) }] },
    )
    expect([...methods]).toEqual(expect.arrayContaining(['checkpoint', 'checkpoint.diff', 'process.write']))
  })

  it('has exactly the optional methods of the storage', () => {
    const { checkpoint: _, ...plain } = createMemoryFs()
    const fs = withFaults(plain, [])
    expect('append' in fs && !('checkpoint' in fs)).toBe(true)
    expect(Object.keys({ ...fs }).sort()).toEqual(Object.keys(plain).sort())
  })

  it('rejects an invalid plan', () => {
    expect(() => storage({ fault: 'EWHAT' as FaultKind })).toThrow('Cannot plan the fault "EWHAT"')
    expect(() => storage({ fault: 'EIO', at: 0 })).toThrow(RangeError)
    expect(() => storage({ fault: 'EIO', chance: 2 })).toThrow(RangeError)
    expect(() => storage({ fault: 'full', bytes: -1 })).toThrow(RangeError)
  })
})

describe('forEachFault', () => {
  it('finds the old or the new file after a fault at any point of an edit', async () => {
    const seen = new Set<unknown>()
    const { operations, runs } = await forEachFault(
      async (faults) => {
        const { runtime, files } = createTestRuntime({ files: { 'a.txt': 'old' }, faults })
        const result = await runtime.execute({
          name: 'edit_file',
          input: { path: 'a.txt', edits: [{ old_string: 'old', new_string: 'new' }] },
        })
        faults.stop()
        const { 'a.txt': now } = await files()
        await runtime.dispose()
        seen.add(now)
        if (faults.fired.length === 0) expect(result.ok).toBe(true)
        if (result.ok) expect(now).toBe('new')
        expect(['old', 'new']).toContain(now)
      },
      { faults: ['EIO', 'unacknowledged', 'full', 'disconnect', 'kill'] },
    )
    expect(operations).toBeGreaterThan(2)
    expect(runs).toBeGreaterThan(operations * 4)
    expect([...seen].sort()).toEqual(['new', 'old'])
  })

  it('finds that an edit never overwrites a concurrent change', async () => {
    await forEachFault(
      async (faults) => {
        const { runtime, files } = createTestRuntime({ files: { 'a.txt': 'old' }, faults })
        const result = await runtime.execute({
          name: 'edit_file',
          input: { path: 'a.txt', edits: [{ old_string: 'old', new_string: 'new' }] },
        })
        const [fired] = faults.fired
        faults.stop()
        const { 'a.txt': now } = await files()
        await runtime.dispose()
        expect(now).toBe((result.ok ? 'new' : 'old') + (fired ? '\n' : ''))
      },
      { faults: [{ fault: 'stale', when: ({ path }) => path === '/a.txt' }] },
    )
  })

  /** Writes two files without making sure that both or none are written. */
  const careless = (fs: ReturnType<typeof createMemoryFs>) => async (): Promise<void> => {
    await fs.write('/a', bytes('new'))
    await fs.write('/b', bytes('new'))
  }
  const together = async (faults: Parameters<Parameters<typeof forEachFault>[0]>[0]): Promise<void> => {
    const real = createMemoryFs({ files: { a: 'old', b: 'old' } })
    await careless(withFaults(real, faults))().catch(() => undefined)
    expect(await text(real, '/a')).toBe(await text(real, '/b'))
  }

  it('names the operation at which the body fails, with the failure as the cause', async () => {
    const failure = await forEachFault(together).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      message: expect.stringContaining('Failed with EIO at memory.write("/b") (2 of 2 operations): '),
      cause: expect.any(Error),
    })
  })

  it('uses the given faults and operations, one run after the other', async () => {
    const fired: unknown[] = []
    let running = 0
    const body = async (faults: Parameters<typeof together>[0]): Promise<void> => {
      expect(++running).toBe(1)
      const fs = withFaults(createMemoryFs(), faults)
      for (const name of ['/a', '/b', '/c']) await fs.mkdir(name).catch(() => undefined)
      await fs.write('/d', bytes('d')).catch(() => undefined)
      const [first] = faults.fired
      fired.push(first && [first.fault, first.operation.path])
      running--
    }
    const only = { fault: 'EIO', when: ({ method }) => method === 'mkdir' } satisfies Fault
    expect(await forEachFault(body, { faults: [only, 'torn'] })).toEqual({ operations: 4, runs: 4, missed: 0 })
    expect(fired).toEqual([undefined, ['EIO', '/a'], ['EIO', '/b'], ['EIO', '/c'], ['torn', '/d']])
    fired.length = 0
    await forEachFault(body, { faults: ['EIO', 'kill'], every: 2 })
    expect(fired).toEqual([undefined, ['EIO', '/a'], ['EIO', '/c'], ['kill', '/b'], ['kill', '/d']])
    await expect(forEachFault(body, { limit: 3 })).rejects.toThrow('Cannot make 4 runs: the limit is 3')
    await expect(forEachFault(body, { every: 0 })).rejects.toThrow(RangeError)
  })

  it('fails if the body fails without a fault, and counts runs that end before their fault', async () => {
    await expect(forEachFault(() => expect(1).toBe(2))).rejects.toThrow('Failed without a fault: ')
    let run = 0
    const changing = async (faults: Parameters<typeof together>[0]): Promise<void> => {
      if (run++ === 0) await withFaults(createMemoryFs(), faults).mkdir('/a')
    }
    expect(await forEachFault(changing)).toEqual({ operations: 1, runs: 1, missed: 1 })
  })
})

it('rejects an invalid plan, and an adapter that does not support faults', () => {
  const fs = createMemoryFs()
  for (const plan of ['EIO', {}, { at: 1 }, [null], { fault: 'full', at: 1, bytes: 10 }])
    expect(() => withFaults(fs, plan as never), JSON.stringify(plan)).toThrow(/^Cannot plan/)
  expect(() => withFaults({ name: 'model', complete: async () => '' } as never, { fault: 'EIO' })).toThrow('has none of their methods')
})
