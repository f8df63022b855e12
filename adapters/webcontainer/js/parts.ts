// What is needed when a program runs, and not before.
export { startBackground } from './background.js'
export { executeProgram } from './execute.js'
export { findProgram } from './find-program.js'
