import { createBrowserRuntime } from 'toolport/browser'
import { describe, expect, it, onTestFinished } from 'vitest'
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
  it('is there again, and open in one place at a time', async () => {
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

  it('begins with the files that it is given, once', async () => {
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

  it('has its own quotas, or those it is given', async () => {
    const runtime = createBrowserRuntime({ storage, name: newName(), quotas: { bytes: 10 } })
    const write = { name: 'write_file', input: { path: 'a', content: 'more than ten' } }
    expect(await runtime.execute(write)).toMatchObject({ ok: false, output: { code: 'ENOSPC' } })
    await runtime.dispose()
  })
})
