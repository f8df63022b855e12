/** Returns all headers, or only the most common ones if `headers` cannot be enumerated. */
export function responseHeaders(headers: { get(name: string): string | null }): [string, string][] {
  const listed: [string, string][] = []
  if ('forEach' in headers && typeof headers.forEach === 'function') {
    headers.forEach((value: unknown, name: unknown) => void listed.push([String(name), String(value)]))
    return listed
  }
  return ['content-type', 'content-length', 'etag', 'last-modified', 'location'].flatMap((name): [string, string][] => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value]]
  })
}
