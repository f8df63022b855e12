import { serveOpfs } from 'toolport/adapters/opfs'
import type { WorkerTricks } from './opfs-support.js'

const { without = [], fail = [] } = JSON.parse(self.name) as WorkerTricks

for (const method of without) Reflect.deleteProperty(FileSystemFileHandle.prototype, method)

const PROTOTYPES = {
  move: 'FileSystemFileHandle',
  createSyncAccessHandle: 'FileSystemFileHandle',
  createWritable: 'FileSystemFileHandle',
  getFile: 'FileSystemFileHandle',
  removeEntry: 'FileSystemDirectoryHandle',
  getDirectory: 'StorageManager',
  write: 'FileSystemSyncAccessHandle',
  truncate: 'FileSystemSyncAccessHandle',
} as const

type Method = (this: unknown, ...args: unknown[]) => unknown

/** Whether the faults are active. The test switches them. */
let failing = true
addEventListener('message', ({ data }) => {
  if (data === 'close') self.close()
  if (data === 'heal' || data === 'break') failing = data === 'break'
})

for (const { method, error, after = 0, times = Number.POSITIVE_INFINITY, partly = false, hangs = false, on = '' } of fail) {
  const { prototype } = (globalThis as unknown as Record<string, { prototype: Record<string, Method> }>)[PROTOTYPES[method]] ?? {
    prototype: {},
  }
  const real = prototype[method]
  let calls = 0
  prototype[method] = function (...args) {
    const concerns = failing && JSON.stringify(args.map((arg) => (typeof arg === 'string' ? arg : ''))).includes(on)
    if (concerns) calls++
    if (!concerns || calls <= after || calls > after + times) return real?.apply(this, args)
    // Simulates a disk that becomes full during a write.
    const [bytes] = args
    if (partly && bytes instanceof Uint8Array) return real?.call(this, bytes.subarray(0, bytes.length >> 1), ...args.slice(1))
    if (hangs) return new Promise(() => undefined)
    throw new DOMException('injected', error)
  }
}

serveOpfs()
