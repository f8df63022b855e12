/**
 * Rate limiting key of a client. The platform sets the header. IPv6 clients are keyed by their /64 network, because each owns all its
 * addresses.
 */
export function clientAddress({ headers }: Request): string {
  const address = headers.get('cf-connecting-ip') ?? 'unknown'
  return address.includes(':') ? networkOf(address) : address
}

/** The first four groups of an IPv6 address. */
function networkOf(address: string): string {
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length)
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...after]
  return all.slice(0, 4).join(':')
}
