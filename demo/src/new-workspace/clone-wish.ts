/** A validated request to clone a repository. */
export interface CloneWish {
  readonly url: string
  /** The address as messages show it. Lacks the query, which could contain a key. */
  readonly label: string
  /** Last part of the address. */
  readonly name: string
  /** Branch or tag. Undefined: the server's default branch. */
  readonly ref: string | undefined
  /** Number of commits. Undefined: all. */
  readonly depth: number | undefined
  /** Base URL of a CORS proxy. Undefined: no proxy. */
  readonly proxy: string | undefined
}

/** The raw values of the form. */
export interface CloneFields {
  readonly address: string
  readonly branch: string
  readonly depth: string
  readonly proxy: string
}

export type CloneField = keyof CloneFields

/** A form field has an invalid value. */
export class FieldError extends Error {
  readonly field: CloneField

  constructor(field: CloneField, message: string) {
    super(message)
    this.field = field
  }
}

/** @throws {FieldError} */
export function readWish(fields: CloneFields): CloneWish {
  const address = fields.address.trim()
  if (address === '') throw new FieldError('address', 'Give the address of a repository.')
  if (/^(?:ssh|git):|^[\w.-]+@[\w.-]+:/.test(address)) {
    throw new FieldError('address', 'A page cannot use SSH: give the address of the repository that begins with https://.')
  }
  const url = webAddress('address', /^[\w-]+(?:\.[\w-]+)+\//.test(address) ? `https://${address}` : address)
  const proxy = fields.proxy.trim()
  return {
    url: url.href,
    label: `${url.host}${url.pathname}`,
    name: (url.pathname.split('/').filter(Boolean).at(-1) ?? url.host).replace(/\.git$/, '') || 'repository',
    ref: fields.branch.trim() || undefined,
    depth: depthOf(fields.depth.trim()),
    // The repository's address is appended to the proxy's address with a slash.
    proxy: proxy === '' ? undefined : webAddress('proxy', proxy).href.replace(/\/+$/, ''),
  }
}

function webAddress(field: CloneField, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new FieldError(field, 'That is no address: it has to begin with https://.')
  if (url.username || url.password) {
    throw new FieldError(field, 'The address has a user or a password in it. Leave them out: this page sends none.')
  }
  if (url.protocol === 'http:' && !/^(?:localhost|127\.0\.0\.1)$/.test(url.hostname)) {
    throw new FieldError(field, 'This page asks https:// addresses, and http:// only on this computer (localhost, 127.0.0.1).')
  }
  return url
}

function depthOf(text: string): number | undefined {
  if (text === '') return undefined
  const depth = Number(text)
  if (Number.isSafeInteger(depth) && depth > 0) return depth
  throw new FieldError('depth', 'The number of commits has to be a whole number from 1. Leave it empty for all of them.')
}
