import { OtherBuild, readModule, type WasmModule } from '../../shared/wasm-module.js'
import { patchRejections } from './patch-rejections.js'
import { patchStack } from './patch-stack.js'

/** Applies `patch-rejections.ts` and `patch-stack.ts`. Skips a patch that does not match the build. */
export function patchEngine(bytes: Uint8Array): Uint8Array {
  return [patchRejections, patchStack].reduce(patched, bytes)
}

function patched(bytes: Uint8Array, patch: (module: WasmModule) => void): Uint8Array {
  try {
    const module = readModule(bytes)
    patch(module)
    return module.encode()
  } catch (error) {
    if (error instanceof OtherBuild) return bytes
    throw error
  }
}
