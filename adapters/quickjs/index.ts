export type { WorkerLike } from '../shared/worker/worker-like.js'
export { createQuickJs } from './adapter.js'
export type { EngineSource } from './engine/wasm.js'
export type { QuickJsOptions, WorkerOption } from './options.js'
