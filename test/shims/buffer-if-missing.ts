// isomorphic-git needs Node's global `Buffer`, which browsers lack. The slash imports the npm package; without it, the name means Node's
// own module.
import { Buffer } from 'buffer/'

if (!('Buffer' in globalThis)) Object.assign(globalThis, { Buffer })
