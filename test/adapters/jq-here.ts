import type { JustBashShellOptions } from 'toolport/adapters/just-bash'

/** Options of `jq` for this runtime. Each runtime loads the WebAssembly module in another way. */
export async function jqHere(): Promise<JustBashShellOptions['jq']> {
  if (globalThis.navigator?.userAgent === 'Cloudflare-Workers') return { wasm: (await import('jq-wasm/jq.wasm')).default }
  return 'document' in globalThis ? { wasm: (await import('jq-wasm/jq.wasm?url')).default } : {}
}
