import { h, uniqueId } from '../dom.js'
import type { HomeChoice } from './homes.js'

export interface HomeCard {
  readonly choice: HomeChoice
  readonly element: HTMLElement
  readonly input: HTMLInputElement
  /** `open`: storage of the open workspace. Also checks again whether this browser supports the storage. */
  show(open: string): void
}

/** A selectable storage, or the reason why this browser does not support that storage. */
export function createHomeCard(choice: HomeChoice, group: string, onChange: () => void): HomeCard {
  const { page } = choice
  const about = h('span', { class: 'home-about', id: uniqueId('about') })
  const link = page && h('a', { class: 'home-page', href: page.address }, page.label)
  const input = h('input', {
    type: 'radio',
    name: group,
    value: choice.kind,
    class: 'home-radio',
    'aria-describedby': about.id,
    on: { change: onChange },
  })
  const badge = h('span', { class: 'home-badge', hidden: true }, 'open now')
  const element = h('label', { class: 'home-card' }, input, h('span', { class: 'home-label' }, choice.label, badge), about, link)
  return {
    choice,
    element,
    input,
    show(open) {
      const missing = choice.missing()
      about.textContent = missing ?? choice.about
      input.disabled = missing !== undefined
      if (link) link.hidden = missing === undefined
      input.checked = open === choice.kind
      badge.hidden = open !== choice.kind
    },
  }
}
