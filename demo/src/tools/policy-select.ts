import { type PolicyKind, policyChoices } from '../agent/policies.js'
import { h, uniqueId } from '../dom.js'

export interface PolicySelect {
  readonly element: HTMLElement
  readonly kind: PolicyKind
  choose(kind: PolicyKind): void
}

const ABOUT: Readonly<Record<PolicyKind, string>> = {
  ask: 'Calls that only read run at once. Each other one waits for you.',
  allow: 'Every call runs at once. The timeline takes changes back.',
  read: 'Calls that only read run. Every other one is denied.',
}

/** The menu of the form's approval policy. Pressing Run already is the user's consent, so the default allows all calls. */
export function createPolicySelect(): PolicySelect {
  const about = h('span', { class: 'visually-hidden', id: uniqueId('policy') })
  const select = h(
    'select',
    { class: 'input tools-policy', 'aria-label': 'Which calls run', 'aria-describedby': about.id, on: { change: show } },
    ...policyChoices.map(({ kind, label }) => h('option', { value: kind }, label)),
  )
  const kindOf = (): PolicyKind => select.value as PolicyKind

  function show(): void {
    about.textContent = ABOUT[kindOf()]
    select.title = ABOUT[kindOf()]
    select.dataset.kind = select.value
  }
  function choose(kind: PolicyKind): void {
    select.value = kind
    show()
  }

  choose('allow')
  return {
    element: h('span', { class: 'tools-policy-holder' }, select, about),
    get kind() {
      return kindOf()
    },
    choose,
  }
}
