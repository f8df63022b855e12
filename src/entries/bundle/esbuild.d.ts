// `#esbuild` of package.json: `esbuild` in Node, `esbuild-wasm` elsewhere.
import type { Esbuild } from './esbuild-types.js'

export declare const initialize: Esbuild['initialize']
export declare const context: Esbuild['context']
export declare const transform: Esbuild['transform']
