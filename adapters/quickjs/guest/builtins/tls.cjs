const refusal = require('internal/refusal')
const INSTEAD = 'the sandbox has no sockets. Use node:https or fetch.'
class TLSSocket {
  constructor() {
    refusal('tls.TLSSocket', INSTEAD)()
  }
}
module.exports = {
  TLSSocket,
  connect: refusal('tls.connect', INSTEAD),
  createServer: refusal('tls.createServer', INSTEAD),
  createSecureContext: refusal('tls.createSecureContext', INSTEAD),
  rootCertificates: [],
}
