const refusal = require('internal/refusal')
const INSTEAD =
  'programs of the sandbox start no processes. Run commands with the bash tool, or import the JavaScript module in this program.'
for (const name of ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'])
  module.exports[name] = refusal(`child_process.${name}`, INSTEAD)
module.exports.ChildProcess = class ChildProcess {
  constructor() {
    refusal('child_process.ChildProcess', INSTEAD)()
  }
}
