/** isomorphic-git wants the global that Node has. */
export async function giveBuffer(): Promise<void> {
  if (!('Buffer' in globalThis)) Object.assign(globalThis, { Buffer: (await import('buffer/')).Buffer })
}
