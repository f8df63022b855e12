// One chunk of a bundle; installing is another.
export { startJs } from './background-start.js'
export { runJs, runModule } from './run.js'
