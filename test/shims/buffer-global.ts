// isomorphic-git needs Node's global `Buffer`, which browsers lack. The slash imports the npm package; without it, the name means Node's
// own module.
import { Buffer } from 'buffer/'

Object.assign(globalThis, { Buffer })
