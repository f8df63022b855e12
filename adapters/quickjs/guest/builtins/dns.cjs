const { isIP } = require('net')
const notFound = (name) =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}: the sandbox has no DNS. Use fetch.`), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname: name,
  })

async function find(name, { all = false } = {}) {
  const address = name === 'localhost' ? '127.0.0.1' : isIP(name) ? name : undefined
  if (address === undefined) throw notFound(name)
  const found = { address, family: isIP(address) }
  return all ? [found] : found
}
function lookup(name, options, callback = options) {
  const given = typeof options === 'object' ? options : {}
  find(name, given).then(
    (found) => (given.all ? callback(null, found) : callback(null, found.address, found.family)),
    (error) => callback(error),
  )
}
module.exports = { lookup, promises: { lookup: find }, getServers: () => [], setDefaultResultOrder() {}, NOTFOUND: 'ENOTFOUND' }
