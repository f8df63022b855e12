/** Provides Node's global `Buffer`, which isomorphic-git requires. */
export async function giveBuffer(): Promise<void> {
  if (!('Buffer' in globalThis)) Object.assign(globalThis, { Buffer: (await import('buffer/')).Buffer })
}
