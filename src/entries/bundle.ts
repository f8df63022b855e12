// The bundler. A separate subpath, because no other entry loads this code. It loads esbuild with the first build.
export type { BuildMessage, BuildOutput, BuildResult, Bundler } from '../types/preview.js'
export { createBundler } from './bundle/bundler.js'
export type { Esbuild, EsbuildContext, EsbuildMessage, EsbuildResult } from './bundle/esbuild-types.js'
export type { EsbuildOptions } from './bundle/load-esbuild.js'
export type { BundlerOptions } from './bundle/options.js'
