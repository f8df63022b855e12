const refusal = require('internal/refusal')
const INSTEAD = 'the sandbox has no sockets. Use node:https or fetch.'
class TLSSocket {
  constructor() {
    refusal('tls.TLSSocket', INSTEAD)()
  }
}
class Server {
  constructor() {
    refusal('tls.Server', INSTEAD)()
  }
}
class SecureContext {
  constructor() {
    refusal('tls.SecureContext', INSTEAD)()
  }
}
module.exports = {
  TLSSocket,
  Server,
  SecureContext,
  checkServerIdentity: refusal('tls.checkServerIdentity', INSTEAD),
  convertALPNProtocols: refusal('tls.convertALPNProtocols', INSTEAD),
  createSecurePair: refusal('tls.createSecurePair', INSTEAD),
  getCiphers: () => [],
  CLIENT_RENEG_LIMIT: 3,
  CLIENT_RENEG_WINDOW: 600,
  DEFAULT_CIPHERS: '',
  DEFAULT_ECDH_CURVE: 'auto',
  DEFAULT_MIN_VERSION: 'TLSv1.2',
  DEFAULT_MAX_VERSION: 'TLSv1.3',
  connect: refusal('tls.connect', INSTEAD),
  createServer: refusal('tls.createServer', INSTEAD),
  createSecureContext: refusal('tls.createSecureContext', INSTEAD),
  rootCertificates: [],
}
