import { h } from './dom.js'

const STEP = 5

export interface SplitHandleOptions {
  /** Key in the browser's storage for the position. Default: not stored. */
  readonly key?: string | undefined
  /** Whether the parts are side by side. */
  readonly vertical?: boolean
  /** Name used in the CSS: `--name` and `is-name`. */
  readonly name?: string
  readonly min?: number
  readonly max?: number
}

/**
 * A draggable border between two parts of `container`. Sets its position as a custom property in percent. The CSS may limit the range
 * further.
 */
export function createSplitHandle(container: HTMLElement, label: string, options: SplitHandleOptions = {}): HTMLElement {
  const { key, vertical = false, name = 'split', min = 20, max = 80 } = options
  const property = `--${name}`
  const handle = h('div', {
    class: 'split-handle',
    role: 'separator',
    tabindex: 0,
    'aria-label': label,
    'aria-orientation': vertical ? 'vertical' : 'horizontal',
    'aria-valuemin': min,
    'aria-valuemax': max,
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
  const laidOut = new ResizeObserver(tell)
  laidOut.observe(container)
  // The handle may appear or disappear without a change of the container's size.
  laidOut.observe(handle)

  /** The position of a point within the container, in percent. */
  function shareAt({ left, top }: { readonly left: number; readonly top: number }): number {
    const box = container.getBoundingClientRect()
    return (vertical ? (left - box.left) / box.width : (top - box.top) / box.height) * 100
  }
  function share(): number {
    return shareAt(handle.getBoundingClientRect())
  }
  function set(percent: number): void {
    const value = Math.min(max, Math.max(min, percent))
    container.style.setProperty(property, `${value.toFixed(1)}%`)
    container.classList.add(`is-${name}`)
    handle.setAttribute('aria-valuenow', String(Math.round(value)))
  }
  /** Moves the border and reads back the actual position, so that the next step starts from there. */
  function move(percent: number): void {
    set(percent)
    set(share())
  }
  function keepMoved(): void {
    if (container.classList.contains(`is-${name}`)) keep(key, container.style.getPropertyValue(property))
  }
  function reset(): void {
    container.style.removeProperty(property)
    container.classList.remove(`is-${name}`)
    keep(key, null)
    tell()
  }
  /** Reports the position to assistive technology. Until the user moves the border, the CSS decides its position. */
  function tell(): void {
    if (handle.checkVisibility()) handle.setAttribute('aria-valuenow', String(Math.round(share())))
  }
  function onMove(event: PointerEvent): void {
    if (handle.hasPointerCapture(event.pointerId)) move(shareAt({ left: event.clientX, top: event.clientY }))
  }
  function onKey(event: KeyboardEvent): void {
    const [less, more] = vertical ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
    const wanted: Record<string, number> = { [less]: share() - STEP, [more]: share() + STEP, Home: min, End: max }
    const percent = wanted[event.key]
    if (percent === undefined) return
    event.preventDefault()
    move(percent)
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
    // Storage is blocked: the position lasts only as long as the page.
  }
}
