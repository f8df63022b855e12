// isomorphic-git expects Node's global, which browsers lack. The slash asks for the package: without it the name is Node's own module.
import { Buffer } from 'buffer/'

if (!('Buffer' in globalThis)) Object.assign(globalThis, { Buffer })
