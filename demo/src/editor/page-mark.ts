/** Marks a page as open for the browser's other pages. */
export interface PageMark {
  readonly id: string
  /** Ids of all open pages, including this one. Empty if the browser does not support locks. */
  open(): Promise<ReadonlySet<string>>
  remove(): void
}

const PREFIX = 'toolport.page.'

/** The mark is a Web Lock: the browser releases the lock when the page closes or crashes. */
export function markPage(): PageMark {
  const id = `${Date.now()}-${Math.random().toString(36).slice(2)}`
  // Locks exist only in secure contexts.
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
