const { fileUrl } = internal
const { URL, URLSearchParams } = globalThis
const wrong = (message, code) => Object.assign(new TypeError(message), { code })

function fileURLToPath(given) {
  const url = typeof given === 'string' ? new URL(given) : given
  if (url.protocol !== 'file:') throw wrong('The URL must be of scheme file', 'ERR_INVALID_URL_SCHEME')
  return decodeURIComponent(url.pathname)
}
function pathToFileURL(path) {
  const { resolve } = require('path')
  return new URL(fileUrl(resolve(path) + (path.endsWith('/') && path !== '/' ? '/' : '')))
}
function parse(text) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) {
    const [, pathname, search = null, hash = null] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(text)
    return {
      protocol: null,
      slashes: null,
      auth: null,
      host: null,
      port: null,
      hostname: null,
      hash,
      search,
      query: search?.slice(1) ?? null,
      pathname,
      path: pathname + (search ?? ''),
      href: text,
    }
  }
  const { protocol, host, port, hostname, hash, search, pathname, href, username, password } = url
  const auth = username ? `${username}${password ? `:${password}` : ''}` : null
  return {
    protocol,
    slashes: true,
    auth,
    host,
    port: port || null,
    hostname,
    hash: hash || null,
    search: search || null,
    query: search ? search.slice(1) : null,
    pathname,
    path: pathname + search,
    href,
  }
}
function urlToHttpOptions(url) {
  const { protocol, hostname, hash, search, pathname, href, port, username, password } = url
  return {
    __proto__: null,
    ...url,
    protocol,
    hostname: typeof hostname === 'string' && hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    hash,
    search,
    pathname,
    path: `${pathname || ''}${search || ''}`,
    href,
    ...(port !== '' && { port: Number(port) }),
    ...((username || password) && { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` }),
  }
}

module.exports = {
  URL,
  URLSearchParams,
  fileURLToPath,
  pathToFileURL,
  parse,
  format: (url) =>
    typeof url === 'string'
      ? url
      : (url.href ?? `${url.protocol ?? ''}//${url.host ?? ''}${url.pathname ?? ''}${url.search ?? ''}${url.hash ?? ''}`),
  resolve: (from, to) => {
    const base = new URL(from, 'resolve://')
    const url = new URL(to, base)
    return url.protocol === 'resolve:' ? url.pathname + url.search + url.hash : url.href
  },
  urlToHttpOptions,
  domainToASCII: (domain) => domain,
  domainToUnicode: (domain) => domain,
}
