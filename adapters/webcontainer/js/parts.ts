// Code that loads only when a program runs.
export { startBackground } from './background.js'
export { executeProgram } from './execute.js'
export { findProgram } from './find-program.js'
