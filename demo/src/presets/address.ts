const KEY = 'preset'

const parts = (): URLSearchParams => new URLSearchParams(location.hash.slice(1))

/** The name of the preset in the page's address (`#preset=loom`), if there is one. */
export function presetInAddress(): string | undefined {
  return parts().get(KEY) ?? undefined
}

/** Writes the name into the address, so that a reload or a link finds it again; undefined takes it out. The rest of the hash stays. */
export function keepInAddress(name: string | undefined): void {
  const next = parts()
  if (name === undefined) next.delete(KEY)
  else next.set(KEY, name)
  const hash = next.toString()
  try {
    history.replaceState(history.state, '', hash ? `#${hash}` : `${location.pathname}${location.search}`)
  } catch {
    // Not every frame has an address of its own: then the choice lasts as long as the page.
  }
}
