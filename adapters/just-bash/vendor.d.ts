// Types of `#just-bash`. No other file may import this name for types, because resolvers without package imports would not find them.
export { Bash, getCommandNames } from './library-types.js'
/** Whether the build has hooks. */
export declare const hooked: true
