import { createOpfs } from 'toolport/adapters/opfs'

const fs = createOpfs({ name: self.name })
await fs.write('/a', new TextEncoder().encode('from a worker'))
const text = new TextDecoder().decode(await fs.read('/a'))
await fs.close()
self.postMessage(`read: ${text}`)
