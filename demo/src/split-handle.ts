import { h } from './dom.js'

const STEP = 5
const MIN = 20
const MAX = 80

/**
 * A bar between two parts of `container`, one above the other; moves their border by pointer or by arrow keys, as `--split` in percent.
 * `key`: where the browser keeps it for the next visit.
 */
export function createSplitHandle(container: HTMLElement, label: string, key?: string): HTMLElement {
  const handle = h('div', {
    class: 'split-handle',
    role: 'separator',
    tabindex: 0,
    'aria-label': label,
    'aria-orientation': 'horizontal',
    'aria-valuemin': MIN,
    'aria-valuemax': MAX,
    'aria-valuenow': 50,
    on: {
      keydown: onKey,
      pointerdown: (event) => handle.setPointerCapture(event.pointerId),
      pointermove: onMove,
      lostpointercapture: keepMoved,
      dblclick: reset,
      focus: tell,
    },
  })
  const kept = keptShare(key)
  if (kept !== undefined) set(kept)

  /** The percentage above the handle. */
  function share(): number {
    const { top, height } = container.getBoundingClientRect()
    return ((handle.getBoundingClientRect().top - top) / height) * 100
  }
  function set(percent: number): void {
    const value = Math.round(Math.min(MAX, Math.max(MIN, percent)))
    container.style.setProperty('--split', `${value}%`)
    container.classList.add('is-split')
    handle.setAttribute('aria-valuenow', String(value))
  }
  function keepMoved(): void {
    if (container.classList.contains('is-split')) keep(key, handle.getAttribute('aria-valuenow'))
  }
  function reset(): void {
    container.classList.remove('is-split')
    keep(key, null)
    tell()
  }
  /** Where it is when nobody has moved it, the styles decide. */
  function tell(): void {
    handle.setAttribute('aria-valuenow', String(Math.round(share())))
  }
  function onMove(event: PointerEvent): void {
    if (!handle.hasPointerCapture(event.pointerId)) return
    const { top, height } = container.getBoundingClientRect()
    set(((event.clientY - top) / height) * 100)
  }
  function onKey(event: KeyboardEvent): void {
    const wanted: Record<string, number> = { ArrowUp: share() - STEP, ArrowDown: share() + STEP, Home: MIN, End: MAX }
    const percent = wanted[event.key]
    if (percent === undefined) return
    event.preventDefault()
    set(percent)
    keepMoved()
  }
  return handle
}

function keptShare(key: string | undefined): number | undefined {
  try {
    const share = Number.parseFloat((key !== undefined && localStorage.getItem(key)) || '')
    return Number.isFinite(share) ? share : undefined
  } catch {
    return undefined
  }
}

function keep(key: string | undefined, share: string | null): void {
  if (key === undefined) return
  try {
    if (share === null) localStorage.removeItem(key)
    else localStorage.setItem(key, share)
  } catch {
    // A browser that keeps nothing.
  }
}
