const refusal = require('internal/refusal')
const { EventEmitter } = require('events')
module.exports = Object.assign(new EventEmitter(), {
  isMaster: true,
  isPrimary: true,
  isWorker: false,
  workers: {},
  fork: refusal('cluster.fork', 'programs of the sandbox start no processes.'),
})
