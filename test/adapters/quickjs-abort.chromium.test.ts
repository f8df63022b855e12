// @module-tag quickjs
import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { expect, it } from 'vitest'
import { abortCases } from './quickjs-abort-cases.js'

it('the test page is cross-origin isolated', () => expect(globalThis.crossOriginIsolated).toBe(true))

abortCases(
  'quickjs in a web worker',
  { wasm },
  () => new Worker(new URL('../../adapters/quickjs/worker.ts', import.meta.url), { type: 'module' }),
)
