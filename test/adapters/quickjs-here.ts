/// <reference types="vite/client" />
import type { QuickJsOptions } from 'toolport/adapters/quickjs'

/** Options of QuickJS for this runtime. Each runtime loads the WebAssembly module in another way. */
export async function quickJsHere(): Promise<QuickJsOptions> {
  if ((globalThis as { readonly navigator?: { readonly userAgent: string } }).navigator?.userAgent === 'Cloudflare-Workers')
    return { wasm: (await import('../../dist/vendor/quickjs.wasm')).default }
  if (!('document' in globalThis)) return {}
  return { wasm: (await import('@jitl/quickjs-wasmfile-release-sync/wasm?url')).default }
}
