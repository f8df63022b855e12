const { isIP } = require('net')
const notFound = (name, syscall = 'getaddrinfo') =>
  Object.assign(new Error(`${syscall} ENOTFOUND ${name}: the sandbox has no DNS. Use fetch.`), {
    code: 'ENOTFOUND',
    syscall,
    hostname: name,
  })

function find(name) {
  const address = name === 'localhost' ? '127.0.0.1' : isIP(name) ? name : undefined
  return address && { address, family: isIP(address) }
}
// `nextTick` throws at once if the callback is not a function, and reports an error of the callback as an uncaught exception.
function lookup(name, options, callback = options) {
  const found = find(name)
  if (!found) process.nextTick(callback, notFound(name))
  else if (options?.all) process.nextTick(callback, null, [found])
  else process.nextTick(callback, null, found.address, found.family)
}
async function lookupLater(name, options) {
  const found = find(name)
  if (!found) throw notFound(name)
  return options?.all ? [found] : found
}

/** Functions that ask a name server, as promises. */
const asked = {}
/** The same functions with callbacks. */
const called = {}
const queries =
  'resolve resolve4 resolve6 resolveAny resolveCaa resolveCname resolveMx resolveNaptr resolveNs resolvePtr resolveSoa resolveSrv resolveTxt reverse'
for (const name of queries.split(' ')) {
  asked[name] = async (host) => {
    throw notFound(host, name)
  }
  called[name] = (host, options, callback = options) => process.nextTick(callback, notFound(host, name))
}
const settings = {
  getServers: () => [],
  setServers() {},
}
const resolverOf = (functions) => {
  class Resolver {
    cancel() {}
    setLocalAddress() {}
  }
  Object.assign(Resolver.prototype, settings, functions)
  return Resolver
}

// An import of a missing name would fail before the program starts, so every name of Node is here.
const shared = {
  ...settings,
  getDefaultResultOrder: () => 'verbatim',
  setDefaultResultOrder() {},
  EOF: 'EOF',
}
const codes =
  'NODATA FORMERR SERVFAIL NOTFOUND NOTIMP REFUSED BADQUERY BADNAME BADFAMILY BADRESP CONNREFUSED TIMEOUT FILE NOMEM DESTRUCTION BADSTR BADFLAGS NONAME BADHINTS NOTINITIALIZED LOADIPHLPAPI ADDRGETNETWORKPARAMS CANCELLED'
for (const name of codes.split(' ')) shared[name] = `E${name}`

module.exports = {
  lookup,
  lookupService: (address, _, callback) => called.reverse(address, callback),
  ...called,
  Resolver: resolverOf(called),
  ...shared,
  ADDRCONFIG: 32,
  ALL: 16,
  V4MAPPED: 8,
  promises: { lookup: lookupLater, lookupService: asked.reverse, ...asked, Resolver: resolverOf(asked), ...shared },
}
