// One chunk of a bundle.
export { loadInto } from '../../tools/custom/load.js'
export { makeTool } from '../../tools/custom/persistent.js'
export { placeIn } from '../../tools/custom/place.js'
export { makeCustomTool, tableOf } from './custom-tools.js'
