const KEY = 'preset'

const parts = (): URLSearchParams => new URLSearchParams(location.hash.slice(1))

/** The preset in the page's address (`#preset=loom`), if any. */
export function presetInAddress(): string | undefined {
  return parts().get(KEY) ?? undefined
}

/** Writes the preset's name into the address, so that it survives reloads and links. Undefined removes it. Keeps the rest of the hash. */
export function keepInAddress(name: string | undefined): void {
  const next = parts()
  if (name === undefined) next.delete(KEY)
  else next.set(KEY, name)
  const hash = next.toString()
  try {
    history.replaceState(history.state, '', hash ? `#${hash}` : `${location.pathname}${location.search}`)
  } catch {
    // Some frames have no address of their own: then the choice lasts only as long as the page.
  }
}
