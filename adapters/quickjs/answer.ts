/** What the guest is told: JSON or bytes; undefined: nothing. */
export type Answer = string | Uint8Array | undefined

/** An error that is thrown in the guest: `!`, and what it is made of. */
export const failed = (fault: { readonly name?: string; readonly message: string; readonly [detail: string]: unknown }): string =>
  `!${JSON.stringify(fault)}`
