/** What is to be cloned, as far as a look at it tells that it can be. */
export interface CloneWish {
  readonly url: string
  /** For messages: no query, which could hold a key. */
  readonly label: string
  /** The last part of the address. */
  readonly name: string
  /** A branch or a tag; undefined: the server's own. */
  readonly ref: string | undefined
  /** So many commits; undefined: all. */
  readonly depth: number | undefined
  /** Undefined: the server is asked without one. */
  readonly proxy: string | undefined
}

/** The form as it was filled in. */
export interface CloneFields {
  readonly address: string
  readonly branch: string
  readonly depth: string
  readonly proxy: string
}

export type CloneField = keyof CloneFields

/** A field that has to be filled in otherwise. */
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
    // The address of what is cloned is put behind it, with a slash of its own.
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
