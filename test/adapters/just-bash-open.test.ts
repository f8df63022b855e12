// @module-tag virtual-shell
import { createWorkspace, type FsAdapter, FsError, type ShellAdapter } from 'toolport'
import { createJustBashShell, type JustBashShellOptions, type WorkerLike } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it, vi } from 'vitest'
import '../shims/buffer-if-missing.js'
import { setup } from './just-bash-support.js'

type Spawn = NonNullable<ShellAdapter['spawn']>

const bundled: NonNullable<JustBashShellOptions['load']> = () => import('#just-bash')

/** A worker script that loads and never sends a message. */
function silent(): { readonly workers: { ended: boolean }[]; readonly worker: () => WorkerLike } {
  const workers: { ended: boolean }[] = []
  const worker = (): WorkerLike => {
    const state = { ended: false }
    workers.push(state)
    return {
      postMessage: () => undefined,
      terminate: () => {
        state.ended = true
      },
      addEventListener: () => undefined,
    }
  }
  return { workers, worker }
}

describe('a worker that loads but never answers', () => {
  it('does not delay an aborted call', async () => {
    const { worker, workers } = silent()
    const { shell } = setup({ shell: { worker } })
    const stop = new AbortController()
    const running = shell.exec('echo a', { signal: stop.signal })
    await vi.waitFor(() => expect(workers).toHaveLength(1))
    stop.abort()
    expect(await running).toMatchObject({ exitCode: null, aborted: true, timedOut: false, stdout: '', cwd: '/workspace' })
    expect(await shell.exec('echo a', { signal: AbortSignal.abort() })).toMatchObject({ exitCode: null, aborted: true })
    await shell.close?.()
    expect(workers).toEqual([{ ended: true }])
  })

  it('does not delay an aborted session', async () => {
    const { shell } = setup({ shell: { worker: silent().worker } })
    const process = await (shell.spawn as Spawn)('echo a', { signal: AbortSignal.abort() })
    expect(await process.exited).toEqual({ exitCode: 137, signal: 'SIGKILL' })
    await expect(process.write('a')).rejects.toMatchObject({ name: 'ShellError', code: 'not_running' })
    await process.kill('SIGTERM')
    await shell.close?.()
  })

  it('delays a call only until its timeout', async () => {
    const { shell } = setup({ shell: { worker: silent().worker } })
    expect(await shell.exec('echo a', { timeoutMs: 10 })).toMatchObject({ exitCode: null, aborted: false, timedOut: true })
    await shell.close?.()
  })
})

describe('a shell that failed to open', () => {
  it('is opened by the next call after a failed load', async () => {
    let tries = 0
    const load: JustBashShellOptions['load'] = async () => {
      if (++tries === 1) throw new Error('offline')
      return bundled()
    }
    const { shell } = setup({ shell: { load } })
    await expect(shell.exec('echo a')).rejects.toMatchObject({ name: 'ShellError', code: 'unavailable' })
    expect(await shell.exec('echo a')).toMatchObject({ stdout: 'a\n' })
    expect(tries).toBe(2)
  })

  it('is opened by the next call after a storage error', async () => {
    let fails = true
    const memory = createMemoryFs()
    const scratch = new Proxy(memory, {
      get: (target, name: keyof FsAdapter) => {
        const value = target[name]
        if (name !== 'lstat') return value
        return async (path: string) => {
          if (fails) throw new FsError({ code: 'EIO', op: 'stat', path })
          return target.lstat(path)
        }
      },
    })
    const shell = createJustBashShell({ scratch })(createWorkspace({ fs: createMemoryFs() }))
    await expect(shell.open?.()).rejects.toMatchObject({ code: 'EIO' })
    await expect((shell.spawn as Spawn)('echo a')).rejects.toMatchObject({ code: 'EIO' })
    fails = false
    expect(await shell.exec('echo a')).toMatchObject({ stdout: 'a\n' })
  })

  it('stays closed after close()', async () => {
    const { shell } = setup({ shell: { load: () => Promise.reject(new Error('offline')) } })
    await expect(shell.exec('echo a')).rejects.toMatchObject({ code: 'unavailable' })
    await shell.close?.()
    await expect(shell.exec('echo a')).rejects.toMatchObject({ code: 'unavailable', message: 'The shell is closed.' })
    await expect(shell.open?.()).rejects.toMatchObject({ code: 'unavailable', message: 'The shell is closed.' })
  })
})
