const refusal = require('internal/refusal')
const INSTEAD = 'the sandbox has no sockets. Use node:http, fetch, or a package that speaks HTTP.'
const { EventEmitter } = require('events')

const isIPv4 = (text) => /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(`${text}`)
function isIPv6(text) {
  const [address, zone, ...more] = `${text}`.split('%')
  if (more.length > 0 || zone === '' || !address.includes(':')) return false
  try {
    return new URL(`http://[${address}]/`).hostname.startsWith('[')
  } catch {
    return false
  }
}
class Socket extends EventEmitter {
  constructor() {
    super()
    refusal('net.Socket', INSTEAD)()
  }
}
class Server extends EventEmitter {
  constructor() {
    super()
    refusal('net.Server', INSTEAD)()
  }
}
class BlockList {
  constructor() {
    refusal('net.BlockList', INSTEAD)()
  }
}
class SocketAddress {
  constructor() {
    refusal('net.SocketAddress', INSTEAD)()
  }
}
module.exports = {
  isIP: (text) => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0),
  isIPv4,
  isIPv6,
  Socket,
  Stream: Socket,
  Server,
  BlockList,
  SocketAddress,
  getDefaultAutoSelectFamily: () => true,
  setDefaultAutoSelectFamily() {},
  getDefaultAutoSelectFamilyAttemptTimeout: () => 250,
  setDefaultAutoSelectFamilyAttemptTimeout() {},
  connect: refusal('net.connect', INSTEAD),
  createConnection: refusal('net.createConnection', INSTEAD),
  createServer: refusal('net.createServer', INSTEAD),
}
