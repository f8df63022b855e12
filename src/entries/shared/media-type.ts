import { lookup } from 'mrmime'

/** Media types that replace the registered ones, which programs do not expect: `ts` is registered as a video format. */
const OWN_TYPES: Readonly<Record<string, string>> = {
  cts: 'text/plain',
  jsx: 'text/javascript',
  map: 'application/json',
  mts: 'text/plain',
  ts: 'text/plain',
  tsx: 'text/plain',
}

/** Returns the media type for a path's file extension; undefined for an unknown extension. */
export function mediaTypeOf(path: string): string | undefined {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(OWN_TYPES, extension) ? OWN_TYPES[extension] : lookup(path)
}
