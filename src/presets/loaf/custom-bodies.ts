// Re-exports these modules together, so that a bundle has one chunk for them.

export { placeIn } from '../../tools/custom/custom-registry.js'
export { loadInto } from '../../tools/custom/load.js'
export { makeTool } from '../../tools/custom/persistent.js'
export { makeCustomTool, tableOf } from './custom-tools.js'
