/** Makes these parts inert during the work. They stay visible. */
export async function whileOpening(root: HTMLElement, parts: readonly HTMLElement[], work: () => Promise<void>): Promise<void> {
  const set = (isOpening: boolean): void => {
    root.setAttribute('aria-busy', String(isOpening))
    for (const part of parts) part.inert = isOpening
  }
  set(true)
  try {
    await work()
  } finally {
    set(false)
  }
}
