// The documented tools, as a preset and as objects. Every preset can use the security policy:
// `createRuntime({ preset, policy: { ...security.toRuntimePolicy(), approve } })`.

export * from '../core/security/index.js'
export type { Args } from './zeroclaw/arguments.js'
export { booleanParam, numberParam, objectParam, optionalStringParam, stringParam } from './zeroclaw/arguments.js'
export { fromZeroclawTool } from './zeroclaw/custom.js'
export type { CreateZeroclawOptions, Zeroclaw } from './zeroclaw/objects.js'
export { createZeroclaw } from './zeroclaw/objects.js'
export { zeroclaw } from './zeroclaw/preset.js'
export type { ZeroclawToolLike } from './zeroclaw/tool.js'
export { Tool } from './zeroclaw/tool.js'
export type { ZeroclawOptions, ZeroclawToolResult, ZeroclawToolSpec } from './zeroclaw/types.js'
