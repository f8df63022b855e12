import { copyButton } from '../copy-button.js'
import { createDialogHead } from '../dialog-head.js'
import { createDialogRow, type DialogRow } from '../dialog-row.js'
import { h, uniqueId } from '../dom.js'
import { messageOf } from '../notice.js'
import { proxyAddressProblem, servicesAt } from './ask-proxy.js'
import type { SearchProxy } from './proxy-store.js'
import type { SearchSource } from './search-source.js'

export interface ProxyDialog {
  readonly element: HTMLDialogElement
  open(): void
}

export interface ProxyDialogOptions {
  readonly source: SearchSource
  /** The user has set a proxy that answers. */
  readonly onUsed: () => void
}

/** Example command that starts a proxy for this page. The dots stand for an API key. */
const command = (): string =>
  `export TOOLPORT_EXA_URL=https://api.exa.ai/search TOOLPORT_EXA_KEY=...\ntoolport proxy --port 8787 --origin ${location.origin}`

/** The dialog for the search proxy. A proxy is only used after it has listed its services. */
export function createProxyDialog({ source, onUsed }: ProxyDialogOptions): ProxyDialog {
  const heading = h('h2', { id: uniqueId('search-proxy') }, 'Search proxy')
  const address = createDialogRow('Address', { placeholder: 'http://127.0.0.1:8787', inputmode: 'url' })
  const token = createDialogRow(
    'Token',
    { type: 'password', placeholder: 'none' },
    'It goes from this tab to that address and nowhere else. It is gone when the tab is closed, unless you keep it.',
  )
  const keep = h('input', { type: 'checkbox', class: 'check', id: uniqueId('keep') })
  const go = h('button', { type: 'submit', class: 'button primary' }, 'Use this proxy')
  const away = h('button', { type: 'button', class: 'button quiet', on: { click: onAway } }, 'Take it away')
  const status = h('p', { class: 'dialog-note', role: 'status' })
  const form = h(
    'form',
    { class: 'dialog-part proxy-form', novalidate: true, 'aria-label': 'Search proxy', on: { submit: onSubmit } },
    h(
      'p',
      {},
      'The tools that search the web ask a proxy, which keeps the key of a search service. It sees every search, yours and the agent’s: give one that you trust.',
    ),
    address.element,
    token.element,
    h(
      'div',
      { class: 'model-keep proxy-keep', hidden: !source.canKeep },
      keep,
      h('label', { for: keep.id }, 'Keep the token in this browser, for the next visit'),
    ),
    h('div', { class: 'dialog-actions' }, go, away, status),
  )
  const element = h(
    'dialog',
    { class: 'dialog', 'aria-labelledby': heading.id, on: { close: () => stop() } },
    createDialogHead(heading, () => element.close()),
    h('div', { class: 'dialog-body' }, form, howToStart()),
  )
  let under: AbortController | undefined
  address.input.addEventListener('change', onAddress)

  function stop(): void {
    under?.abort()
    setAsking(undefined)
  }

  function setAsking(next: AbortController | undefined): void {
    under = next
    status.textContent = next ? 'Asking it…' : ''
    if (next) go.setAttribute('aria-disabled', 'true')
    else go.removeAttribute('aria-disabled')
  }

  /** Clears the token when the address changes, so that one proxy never receives the token of another. */
  function onAddress(): void {
    const { address: before, token: known } = source.draft ?? { address: '', token: '' }
    const isElsewhere = before !== '' && originOf(address.input.value) !== originOf(before)
    if (isElsewhere && token.input.value === known) token.input.value = ''
  }

  function refuse(row: DialogRow, text: string): void {
    row.mark(text)
    row.input.focus()
  }

  /** Returns undefined, after marking the field, if a field is invalid. */
  function read(): Omit<SearchProxy, 'services'> | undefined {
    for (const row of [address, token]) row.mark('')
    const given = { address: address.input.value.trim().replace(/\/+$/, ''), token: token.input.value.trim() }
    const wrong = proxyAddressProblem(given.address)
    if (wrong !== undefined) refuse(address, wrong)
    // HTTP headers allow only these characters.
    else if (!/^[\x21-\x7e]*$/.test(given.token)) refuse(token, 'A token has no blanks, and no letters beyond ASCII.')
    else return given
    return undefined
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    const given = under ? undefined : read()
    if (given) void ask(given)
  }

  async function ask(given: Omit<SearchProxy, 'services'>): Promise<void> {
    const mine = new AbortController()
    setAsking(mine)
    try {
      const services = await servicesAt(given.address, mine.signal)
      if (mine.signal.aborted) return
      const isFirst = source.proxy === undefined
      element.close()
      source.use({ ...given, services }, keep.checked)
      // Otherwise the user only corrected an error, and the form keeps its input.
      if (isFirst) onUsed()
    } catch (error) {
      if (mine.signal.aborted) return
      setAsking(undefined)
      refuse(address, messageOf(error))
    }
  }

  function onAway(): void {
    stop()
    element.close()
    source.takeAway()
  }

  return {
    element,
    open() {
      for (const row of [address, token]) row.mark('')
      address.input.value = source.draft?.address ?? ''
      token.input.value = source.draft?.token ?? ''
      keep.checked = source.keepsToken
      away.hidden = source.draft === undefined
      element.showModal()
      // For a proxy whose token was not stored, the token is missing.
      const lacksToken = source.draft !== undefined && source.proxy === undefined
      ;(lacksToken ? token : address).input.focus()
    },
  }
}

function howToStart(): HTMLElement {
  const text = command()
  const label = 'How to start a proxy'
  return h(
    'section',
    { class: 'dialog-part', 'aria-label': label },
    h(
      'div',
      { class: 'code-head' },
      h('h3', {}, 'Start one on this computer'),
      copyButton('Copy: how to start a proxy', () => text),
    ),
    h('pre', { class: 'code-text proxy-command', tabindex: 0, role: 'group', 'aria-label': label }, h('code', {}, text)),
  )
}

const originOf = (address: string): string => (URL.canParse(address.trim()) ? new URL(address.trim()).origin : '')
