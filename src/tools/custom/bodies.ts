// One chunk of a bundle.

export { placeIn } from './custom-registry.js'
export { customTool, STRICT } from './custom-tool.js'
export { loadInto } from './load.js'
export { makeTool } from './persistent.js'
