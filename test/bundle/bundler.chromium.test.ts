// @module-tag bundle
import wasm from 'esbuild-wasm/esbuild.wasm?url'
import { bundlerCases } from './bundler-cases.js'

bundlerCases({ wasm })
