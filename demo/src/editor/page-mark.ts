/** A page of this browser, which the others can tell is open. */
export interface PageMark {
  readonly id: string
  /** Marks of pages that are open now, this one among them. None where the browser does not say. */
  open(): Promise<ReadonlySet<string>>
  remove(): void
}

const PREFIX = 'toolport.page.'

/** The mark is a lock, which the browser takes back with the page, also when it crashes. */
export function markPage(): PageMark {
  const id = `${Date.now()}-${Math.random().toString(36).slice(2)}`
  // Only a page of a secure origin has them.
  const locks: LockManager | undefined = navigator.locks
  let remove = (): void => undefined
  const removed = new Promise<void>((resolve) => {
    remove = resolve
  })
  locks?.request(PREFIX + id, () => removed).catch(() => undefined)
  return {
    id,
    async open() {
      const { held = [] } = (await locks?.query().catch(() => undefined)) ?? {}
      return new Set(held.map(({ name = '' }) => name.slice(PREFIX.length)))
    },
    remove: () => remove(),
  }
}
