const refusal = require('internal/refusal')
const { EventEmitter } = require('events')
const INSTEAD = 'programs of the sandbox start no processes.'
class Worker extends EventEmitter {
  constructor() {
    super()
    refusal('cluster.Worker', INSTEAD)()
  }
}
module.exports = Object.assign(new EventEmitter(), {
  isMaster: true,
  isPrimary: true,
  isWorker: false,
  Worker,
  workers: {},
  settings: {},
  SCHED_NONE: 1,
  SCHED_RR: 2,
  schedulingPolicy: 2,
  setupPrimary: refusal('cluster.setupPrimary', INSTEAD),
  setupMaster: refusal('cluster.setupMaster', INSTEAD),
  disconnect: refusal('cluster.disconnect', INSTEAD),
  fork: refusal('cluster.fork', INSTEAD),
})
