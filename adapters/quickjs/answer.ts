/** An answer to the guest: JSON, bytes or undefined. */
export type Answer = string | Uint8Array | undefined

/** Encodes an error to throw in the guest: `!` and its properties as JSON. */
export const failed = (fault: { readonly name?: string; readonly message: string; readonly [detail: string]: unknown }): string =>
  `!${JSON.stringify(fault)}`
