const http = require('http')
const client = http._clientOf('https:')
const createServer = () => {
  throw Object.assign(new Error('Cannot make an HTTPS server: the sandbox has no TLS. Use http.createServer.'), {
    code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
  })
}
class Agent extends http.Agent {
  protocol = 'https:'
}
module.exports = {
  ...client,
  Agent,
  globalAgent: new Agent(),
  createServer,
  Server: class {
    constructor() {
      createServer()
    }
  },
}
