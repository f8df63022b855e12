// Writes and flushes, and leaves the storage open.
import { createLightningFs } from 'toolport/adapters/lightning-fs'

const fs = createLightningFs({ name: self.name })
await fs.mkdir('/d')
await fs.write('/d/a', new TextEncoder().encode('from a worker'))
await fs.flush()
await fs.write('/d/b', new Uint8Array(1))
self.postMessage([...(await fs.readdir('/d')).map(({ name }) => name).sort(), 'global' in globalThis])
