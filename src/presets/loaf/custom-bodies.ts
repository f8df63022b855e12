// One chunk of a bundle.

export { placeIn } from '../../tools/custom/custom-registry.js'
export { loadInto } from '../../tools/custom/load.js'
export { makeTool } from '../../tools/custom/persistent.js'
export { makeCustomTool, tableOf } from './custom-tools.js'
