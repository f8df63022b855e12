// One chunk of a bundle.
export { customTool, STRICT } from './custom-tool.js'
export { loadInto } from './load.js'
export { makeTool } from './persistent.js'
export { placeIn } from './place.js'
