// One chunk of a bundle.
export { runList } from './list-run.js'
export { runRead } from './read-run.js'
export { runResize } from './resize-run.js'
export { runStop } from './stop-run.js'
export { runWrite } from './write-run.js'
