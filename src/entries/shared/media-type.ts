import { lookup } from 'mrmime'

/** Overrides of registered types that programs do not expect: `ts` is registered as a video format. */
const OWN_TYPES: Readonly<Record<string, string>> = {
  cts: 'text/plain',
  jsx: 'text/javascript',
  map: 'application/json',
  mts: 'text/plain',
  ts: 'text/plain',
  tsx: 'text/plain',
}

/** The media type by file extension; undefined for unknown extensions. */
export function mediaTypeOf(path: string): string | undefined {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(OWN_TYPES, extension) ? OWN_TYPES[extension] : lookup(path)
}
