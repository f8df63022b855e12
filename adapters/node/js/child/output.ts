interface Blockable {
  readonly _handle?: { setBlocking?(blocking: boolean): void } | null
}

/**
 * What was written is there when `process.exit` ends it, and a full pipe is no error: as with files and terminals, a write returns when
 * it is done. The streams are still made when they are first used, which takes a while.
 */
export function writeThrough(): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const made = Object.getOwnPropertyDescriptor(process, name)
    if (!made?.get) continue
    const { get } = made
    Object.defineProperty(process, name, {
      ...made,
      get() {
        Object.defineProperty(process, name, made)
        const stream: Blockable = get.call(process)
        stream._handle?.setBlocking?.(true)
        return stream
      },
    })
  }
}
