import { h } from '../dom.js'

export interface Sizes {
  readonly element: HTMLSelectElement
  dispose(): void
}

/** Width and height in CSS pixels. */
const DEVICES: Readonly<Record<string, readonly [label: string, width: number, height: number]>> = {
  phone: ['Phone', 390, 844],
  tablet: ['Tablet', 820, 1180],
}

/** A menu of device sizes. Scales `frame` to fit into `stage`. */
export function createSizes(stage: HTMLElement, frame: HTMLElement): Sizes {
  const element = h(
    'select',
    { class: 'input preview-size', 'aria-label': 'Size', on: { change: fit } },
    h('option', { value: '' }, 'Full'),
    ...Object.entries(DEVICES).map(([value, [label, width]]) => h('option', { value }, `${label} (${width})`)),
  )
  const laidOut = new ResizeObserver(fit)
  laidOut.observe(stage)

  function fit(): void {
    const device = DEVICES[element.value]
    frame.classList.toggle('is-device', device !== undefined)
    if (!device) {
      frame.removeAttribute('style')
      return
    }
    const [, width, height] = device
    const room = { width: stage.clientWidth - 16, height: stage.clientHeight - 16 }
    const scale = Math.min(1, room.width / width)
    const tall = Math.min(height, room.height / scale)
    Object.assign(frame.style, {
      width: `${width}px`,
      height: `${tall}px`,
      transform: `scale(${scale})`,
      left: `${Math.max(8, (stage.clientWidth - width * scale) / 2)}px`,
    })
  }

  return { element, dispose: () => laidOut.disconnect() }
}
