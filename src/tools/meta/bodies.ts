// One chunk of a bundle.
export { runDiff, runList } from './look-run.js'
export { runRestore } from './restore-run.js'
