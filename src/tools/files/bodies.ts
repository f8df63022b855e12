// One chunk of a bundle: each further one would split what it shares with the eager part into pieces of its own, which compress worse.
export { runEdit } from './edit-run.js'
export { runDelete, runMove } from './move-run.js'
export { runWrite } from './write-run.js'
