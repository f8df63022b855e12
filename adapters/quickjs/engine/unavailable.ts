import { JsError } from '../../../src/errors/index.js'

export const unavailable = (cause: unknown): JsError =>
  new JsError(
    'unavailable',
    'JavaScript cannot run: the engine does not load. Install quickjs-emscripten-core and @jitl/quickjs-wasmfile-release-sync, and pass "wasm": ' +
      "in a browser its address (import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url'), in a Worker the compiled module " +
      `(import wasm from 'toolport/adapters/quickjs/wasm'). ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  )
