const refusal = require('internal/refusal')
const INSTEAD = 'the sandbox has no HTTP/2. Use node:http or fetch.'
class Http2ServerRequest {}
class Http2ServerResponse {}
module.exports = {
  Http2ServerRequest,
  Http2ServerResponse,
  connect: refusal('http2.connect', INSTEAD),
  createServer: refusal('http2.createServer', INSTEAD),
  createSecureServer: refusal('http2.createSecureServer', INSTEAD),
  getDefaultSettings: refusal('http2.getDefaultSettings', INSTEAD),
  getPackedSettings: refusal('http2.getPackedSettings', INSTEAD),
  getUnpackedSettings: refusal('http2.getUnpackedSettings', INSTEAD),
  performServerHandshake: refusal('http2.performServerHandshake', INSTEAD),
  sensitiveHeaders: Symbol('sensitiveHeaders'),
  constants: {},
}
