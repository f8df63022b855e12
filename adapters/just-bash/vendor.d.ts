// The types of `#just-bash`. Not imported by name elsewhere: resolvers without package imports would find no types behind it.
export { Bash, getCommandNames } from './library-types.js'
/** It has hooks. */
export declare const hooked: true
