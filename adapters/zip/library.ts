import { UnsupportedError } from '../../src/errors/index.js'

/** The part of fflate that Toolport uses. */
export type Fflate = Pick<typeof import('fflate'), 'deflateSync' | 'Inflate' | 'inflateSync'>

let loading: Promise<Fflate> | undefined

/** Loads fflate on first use. @throws {UnsupportedError} if it is not installed */
export function fflate(): Promise<Fflate> {
  loading ??= import('fflate').catch((cause: unknown) => {
    loading = undefined
    throw new UnsupportedError('zip', `Cannot use zip archives: fflate cannot be loaded (${String(cause)}). Install it: npm install fflate`)
  })
  return loading
}
