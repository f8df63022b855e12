import { lookup } from 'mrmime'

/** Where the registered type is not the one that programs mean: `ts` is registered for video. */
const OWN_TYPES: Readonly<Record<string, string>> = {
  cts: 'text/plain',
  jsx: 'text/javascript',
  map: 'application/json',
  mts: 'text/plain',
  ts: 'text/plain',
  tsx: 'text/plain',
}

/** The media type by the extension of a file's name; undefined for unknown extensions. */
export function mediaTypeOf(path: string): string | undefined {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(OWN_TYPES, extension) ? OWN_TYPES[extension] : lookup(path)
}
