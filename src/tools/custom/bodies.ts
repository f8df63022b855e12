// Re-exports these modules together, so that a bundle has one chunk for them.

export { placeIn } from './custom-registry.js'
export { customTool, STRICT } from './custom-tool.js'
export { loadInto } from './load.js'
export { makeTool } from './persistent.js'
