// One chunk of a bundle; installing is another.
export { runJs, runModule } from './js-run.js'
export { startJs } from './js-start.js'
