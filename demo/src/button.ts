import { h, type Props } from './dom.js'
import { type IconName, icon } from './icons.js'

interface ButtonProps extends Omit<Props, 'on'> {
  /** Additional CSS classes. */
  readonly class?: string
}

type OnClick = (event: HTMLElementEventMap['click']) => void

/** A button with a label, and an icon before the label. */
export function textButton(
  label: string | Node,
  onClick: OnClick,
  { class: kind, icon: name, ...props }: ButtonProps & { readonly icon?: IconName } = {},
): HTMLButtonElement {
  const all = kind ? `button ${kind}` : 'button'
  return h('button', { type: 'button', ...props, class: all, on: { click: onClick } }, name && icon(name), label)
}

/** A small button with only an icon. `label`: its name for screen readers, and its tooltip unless `title` is given. */
export function iconButton(
  label: string,
  name: IconName,
  onClick: OnClick,
  { class: kind, ...props }: ButtonProps = {},
): HTMLButtonElement {
  const all = kind ? `button icon-button quiet small ${kind}` : 'button icon-button quiet small'
  return h('button', { type: 'button', 'aria-label': label, title: label, ...props, class: all, on: { click: onClick } }, icon(name))
}
