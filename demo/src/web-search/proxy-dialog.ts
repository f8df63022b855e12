import { createFetch } from 'toolport/adapters/fetch'
import { addressProblem } from '../agent/provider-choices.js'
import { textButton } from '../button.js'
import { copyButton } from '../copy-button.js'
import { createDialogHead } from '../dialog-head.js'
import { createDialogRow, type DialogRow } from '../dialog-row.js'
import { h, uniqueId } from '../dom.js'
import { messageOf } from '../notice.js'
import { SERVICES, type SearchProxy, type SearchService } from './proxy-store.js'
import type { SearchSource } from './search-source.js'

export interface ProxyDialog {
  readonly element: HTMLDialogElement
  open(): void
}

export interface ProxyDialogOptions {
  readonly source: SearchSource
  /** Called when the user has set the first proxy and the proxy has answered. */
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
  const away = textButton('Take it away', onAway, { class: 'quiet' })
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
      // A later proxy only corrects an earlier one, so the tools pane keeps its form.
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
      // If there is a draft but no active proxy, the token of the proxy was not stored.
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

const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024

/** Why the address of a proxy is invalid. Undefined: valid. */
function proxyAddressProblem(address: string): string | undefined {
  if (address === '') return 'Give the address of a search proxy, such as http://127.0.0.1:8787.'
  const wrong = addressProblem(address)
  if (wrong !== undefined) return wrong
  const { pathname, search, hash } = new URL(address)
  if (search || hash || address.includes('?') || address.includes('#'))
    return 'Leave out what follows the ? or #: the tools add paths to the address.'
  const tail = /\/(?:proxy(?:\/\w+)?|health)\/?$/.exec(pathname)?.[0]
  return tail === undefined ? undefined : `Leave out ${tail}: the tools add that themselves.`
}

/** The search services that a proxy offers. Rejects with a message for the address field. */
async function servicesAt(address: string, signal: AbortSignal, page = location.origin): Promise<readonly SearchService[]> {
  const services = await said(address, signal, page)
  if (!services) throw new Error('What answers at this address is no search proxy: it does not say which search services it has.')
  const known = SERVICES.filter((one) => services.includes(one))
  if (known.length === 0)
    throw new Error('This proxy has no search service yet. Give it the key of one, such as TOOLPORT_EXA_KEY, and start it again.')
  return known
}

async function said(address: string, signal: AbortSignal, page: string): Promise<readonly unknown[] | undefined> {
  const { fetch } = createFetch({ origins: [new URL(address).origin], timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
  let response: Awaited<ReturnType<typeof fetch>>
  try {
    response = await fetch({ url: `${address}/health`, headers: { accept: 'application/json' }, signal })
  } catch (error) {
    signal.throwIfAborted()
    throw new Error(noAnswer(error, page), { cause: error })
  }
  if (!response.ok) throw new Error(`There is no search proxy at this address: it answers with status ${response.status} at /health.`)
  const answer: unknown = await response.json().catch(() => undefined)
  const providers: unknown = typeof answer === 'object' && answer !== null && 'providers' in answer ? answer.providers : undefined
  return Array.isArray(providers) ? providers : undefined
}

function noAnswer(error: unknown, page: string): string {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  if (code === 'blocked_origin') return 'This address leads on to another one, and a page is not told which. Give that one.'
  if (code === 'too_large') return 'What answers at this address is no search proxy: it sends too much.'
  if (cause instanceof Error && cause.name === 'TimeoutError')
    return `Nothing answered within ${TIMEOUT_MS / 1000} seconds. Is this the address?`
  // Browsers do not tell a page whether the proxy is down or blocks the request (CORS).
  return `No answer that this page may read. Is the proxy running, and does it let pages of ${page} ask it (--origin ${page})?`
}
