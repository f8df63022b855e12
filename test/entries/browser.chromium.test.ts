// @module-tag entries
import { createBrowserRuntime } from 'toolport/browser'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { drop } from '../adapters/opfs-support.js'

const newName = (): string => {
  const name = `entry-${crypto.randomUUID()}`
  onTestFinished(async () => {
    await drop(name)
    indexedDB.deleteDatabase(`toolport:${name}`)
  })
  return name
}

const text = (content: string) => ({ text: expect.stringContaining(content) })

describe.each(['indexeddb', 'opfs'] as const)('a workspace in %s', (storage) => {
  it('persists, and can be opened in one place at a time', async () => {
    const name = newName()
    const first = createBrowserRuntime({ storage, name })
    await first.call('bash', { command: 'mkdir -p src/deep; echo kept > src/deep/a.txt; mv src moved' })
    const second = createBrowserRuntime({ storage, name })
    const read = { name: 'read_file', input: { path: 'moved/deep/a.txt' } }
    expect(await second.execute(read)).toMatchObject({ ok: false, output: { code: 'EBUSY' } })
    await second.dispose()
    await first.dispose()
    const again = createBrowserRuntime({ storage, name })
    expect(await again.call('read_file', read.input)).toMatchObject(text('kept'))
    expect(await again.call('bash', { command: 'rm -r moved; ls' })).toMatchObject({ exit_code: 0, stdout: '' })
    await again.dispose()
  })

  it('is created with the given files once', async () => {
    const options = { storage, name: newName(), files: { 'src/a.txt': 'first\n', 'src/b/c.txt': 'other\n', 'd.bin': Uint8Array.of(0, 1) } }
    const first = createBrowserRuntime(options)
    expect(await first.call('bash', { command: 'cat src/a.txt src/b/c.txt; wc -c < d.bin' })).toMatchObject({
      stdout: expect.stringMatching(/^first\nother\n\s*2\n$/),
    })
    await first.call('bash', { command: 'echo mine > src/a.txt; rm d.bin' })
    await first.dispose()
    const second = createBrowserRuntime(options)
    expect(await second.call('bash', { command: 'cat src/a.txt; ls' })).toMatchObject({ stdout: 'mine\nsrc\n' })
    await second.dispose()
  })

  it('has default quotas or the given ones', async () => {
    const runtime = createBrowserRuntime({ storage, name: newName(), quotas: { bytes: 10 } })
    const write = { name: 'write_file', input: { path: 'a', content: 'more than ten' } }
    expect(await runtime.execute(write)).toMatchObject({ ok: false, output: { code: 'ENOSPC' } })
    await runtime.dispose()
  })
})

describe('the shell of a browser runtime', () => {
  const files = { 'big.txt': 'one line with a user in it, and another user\n'.repeat(200_000) }
  const replaced = Array.from({ length: 12 }, (_, i) => `-e s/user/USER${i}/g -e s/USER${i}/user/g`).join(' ')

  it('runs a long command without blocking the page, until it is aborted', async () => {
    const tools = createBrowserRuntime({ storage: 'memory', files })
    onTestFinished(() => tools.dispose())
    await tools.call('bash', { command: 'true' })
    const stop = new AbortController()
    let ticks = 0
    const ticking = setInterval(() => {
      if (++ticks === 20) stop.abort()
    }, 10)
    const call = { name: 'bash', input: { command: `echo before; sed ${replaced} big.txt > out.txt` } }
    const result = await tools.execute(call, { signal: stop.signal })
    clearInterval(ticking)
    expect(result.output).toMatchObject({ aborted: true, exit_code: null, stdout: 'before\n' })
    expect(ticks).toBeGreaterThanOrEqual(20)
    expect(await tools.call('bash', { command: 'wc -l < big.txt' })).toMatchObject({ stdout: '200000\n' })
  })

  it('runs in the page with `worker: false`', async () => {
    const started = vi.spyOn(globalThis, 'Worker')
    onTestFinished(() => started.mockRestore())
    for (const [shell, workers] of [
      [{ worker: false }, 0],
      [true, 1],
    ] as const) {
      const tools = createBrowserRuntime({ storage: 'memory', shell })
      expect(await tools.call('bash', { command: 'echo hi' })).toMatchObject({ stdout: 'hi\n' })
      await tools.dispose()
      expect(started).toHaveBeenCalledTimes(workers)
    }
  })
})
