import { UnsupportedError } from '../../src/errors/index.js'
import { startOnce } from '../../src/ops/start-once.js'

/** The part of fflate that Toolport uses. */
export type Fflate = Pick<typeof import('fflate'), 'deflateSync' | 'Inflate' | 'inflateSync'>

/** Loads fflate on first use. @throws {UnsupportedError} if it is not installed */
export const fflate: () => Promise<Fflate> = startOnce(() =>
  import('fflate').catch((cause: unknown) => {
    throw new UnsupportedError('zip', `Cannot use zip archives: fflate cannot be loaded (${String(cause)}). Install it: npm install fflate`)
  }),
)
