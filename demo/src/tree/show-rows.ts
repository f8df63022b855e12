/**
 * Updates a list to these rows, which are identified by `data-path`. Reuses existing elements in place, so they keep the focus, and a press
 * that began on an element still becomes a click.
 */
export function showRows(list: HTMLElement, rows: readonly HTMLElement[]): void {
  const shown = new Map(rows.map((row) => [row.dataset.path, row]))
  const kept = new Map<string | undefined, HTMLElement>()
  for (const child of [...list.children] as HTMLElement[]) {
    if (shown.has(child.dataset.path)) kept.set(child.dataset.path, child)
    else child.remove()
  }
  let next = list.firstElementChild
  for (const row of rows) {
    const own = kept.get(row.dataset.path)
    if (own) become(own, row)
    const element = own ?? row
    if (element === next) next = next.nextElementSibling
    else list.insertBefore(element, next)
  }
}

function become(row: HTMLElement, wanted: HTMLElement): void {
  for (const name of row.getAttributeNames()) if (!wanted.hasAttribute(name)) row.removeAttribute(name)
  for (const name of wanted.getAttributeNames()) {
    const value = wanted.getAttribute(name) ?? ''
    // The page's CSP blocks style attributes.
    if (name !== 'style' && row.getAttribute(name) !== value) row.setAttribute(name, value)
  }
  if (row.style.cssText !== wanted.style.cssText) row.style.cssText = wanted.style.cssText
  const [now, then] = [row.childNodes, [...wanted.childNodes]]
  if (now.length !== then.length || then.some((child, at) => !child.isEqualNode(now[at] ?? null))) row.replaceChildren(...then)
}
