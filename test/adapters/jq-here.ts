import type { JustBashShellOptions } from 'toolport/adapters/just-bash'

/** Options of `jq` in the runtime that runs this: each finds its WebAssembly in its own way. */
export async function jqHere(): Promise<JustBashShellOptions['jq']> {
  if (globalThis.navigator?.userAgent === 'Cloudflare-Workers') return { wasm: (await import('jq-wasm/jq.wasm')).default }
  return 'document' in globalThis ? { wasm: (await import('jq-wasm/jq.wasm?url')).default } : {}
}
