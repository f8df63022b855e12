/** Where tests write their files: see the module itself. */
export function temporaryFolder(): string
