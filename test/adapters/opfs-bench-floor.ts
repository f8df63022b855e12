interface SyncAccess {
  write(bytes: Uint8Array, options: { at: number }): number
  truncate(size: number): void
  flush(): void
  close(): void
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function all(count: number, atOnce: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

addEventListener('message', async ({ data: { files, walked, atOnce } }) => {
  const root = await navigator.storage.getDirectory()
  const top = await root.getDirectoryHandle(self.name, { create: true })
  const dir = await top.getDirectoryHandle('d', { create: true })
  const bytes = crypto.getRandomValues(new Uint8Array(1024))
  const write = async (i: number): Promise<void> => {
    const handle = await dir.getFileHandle(`f${i}`, { create: true })
    const access = await (handle as unknown as { createSyncAccessHandle(): Promise<SyncAccess> }).createSyncAccessHandle()
    access.truncate(0)
    access.write(bytes, { at: 0 })
    access.flush()
    access.close()
  }
  const read = async (i: number): Promise<ArrayBuffer> => (await (await dir.getFileHandle(`f${i}`)).getFile()).arrayBuffer()
  const took: Record<string, number> = {
    write: await timed(() => all(files, 1, write)),
    overwrite: await timed(() => all(files, 1, write)),
    'overwrite, 8 at once': await timed(() => all(files, atOnce, write)),
    read: await timed(() => all(files, 1, read)),
    'read, 8 at once': await timed(() => all(files, atOnce, read)),
  }
  const dirs = await Promise.all(Array.from({ length: 100 }, (_, d) => top.getDirectoryHandle(`d${d}`, { create: true })))
  await all(walked, atOnce, async (i) => dirs[i % 100]?.getFileHandle(`f${i}`, { create: true }))
  const walk = async (): Promise<void> => {
    let count = 0
    for await (const [name, handle] of top.entries()) {
      if (handle.kind !== 'directory' || name === 'd') continue
      for await (const _ of (handle as FileSystemDirectoryHandle).keys()) count++
    }
    if (count !== walked) throw new Error(`walked ${count}`)
  }
  took['walk 10,000, names and kinds'] = await timed(walk)
  took['walk them again'] = await timed(walk)
  took['stat 10,000'] = await timed(() => all(walked, atOnce, async (i) => (await dirs[i % 100]?.getFileHandle(`f${i}`))?.getFile()))
  await root.removeEntry(self.name, { recursive: true })
  postMessage(took)
})
