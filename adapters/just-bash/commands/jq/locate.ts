import type { JqOptions, LocatedJq } from './module.js'

const PACKAGE = 'jq-wasm/jq.wasm'

interface Globals {
  readonly process?: { readonly versions?: { readonly node?: string }; cwd(): string }
  readonly location?: { readonly href: string }
}

/** Resolves the address in the thread that creates the shell. A worker cannot find installed packages and has another base URL. */
export function locateJq({ wasm, ...others }: JqOptions = {}): LocatedJq {
  if (wasm instanceof WebAssembly.Module) return { ...others, wasm }
  const { process, location } = globalThis as Globals
  const isNode = process?.versions?.node !== undefined && !location
  if (wasm !== undefined) {
    const base = isNode ? `file://${process?.cwd()}/` : location?.href
    return { ...others, wasm: new URL(wasm, base).href }
  }
  const found = isNode ? installed() : undefined
  return { ...others, ...(found !== undefined && { wasm: found }) }
}

function installed(): string | undefined {
  try {
    return import.meta.resolve(PACKAGE)
  } catch {
    return undefined
  }
}
