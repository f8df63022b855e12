// @module-tag worker-loader
import type { WorkerLoader } from '@cloudflare/workers-types'
import { createWorkerLoaderJs, type WorkerLoaderLike } from 'toolport/adapters/cloudflare'
import { createTestWorkspace } from 'toolport/testing'
import { expect, it } from 'vitest'

/** Compiles only if the platform's binding has the expected type. */
const like = (loader: WorkerLoader): WorkerLoaderLike => loader

it('createWorkerLoaderJs does not use its binding before a program runs', async () => {
  const asked: string[] = []
  const loader = new Proxy({} as WorkerLoader, { get: (_, name) => void asked.push(String(name)) })
  const { workspace } = createTestWorkspace()
  const js = createWorkerLoaderJs({ loader: like(loader) })(workspace)
  await js.open?.()
  await js.close?.()
  expect(asked).toEqual([])
})

it('createWorkerLoaderJs names the setting of a missing binding', async () => {
  const js = createWorkerLoaderJs({ loader: undefined as unknown as WorkerLoaderLike })(createTestWorkspace().workspace)
  await expect(js.run({ code: '' })).rejects.toThrow('there is no Worker Loader binding: add "worker_loaders"')
})
