import { createPreview, type Preview } from 'toolport/preview'
import { createProse } from '../agent/prose.js'
import { h } from '../dom.js'
import { icon } from '../icons.js'
import { messageOf } from '../notice.js'
import type { Session, Snapshot } from '../session.js'
import { createConsoleList } from './console-list.js'
import type { PreviewPaneOptions, ShownPage } from './pane-options.js'
import { createSizes } from './sizes.js'

export interface PreviewView {
  readonly element: HTMLElement
  /** @throws {Error} if the preview cannot start */
  show(page: ShownPage): Promise<void>
  /** Call when a server has started or stopped. */
  followServers(): void
  seen(snapshot: Snapshot): void
  dispose(): void
}

export interface PreviewViewOptions extends Omit<PreviewPaneOptions, 'host' | 'loading' | 'onOpened'> {
  readonly session: Session
  readonly onClose: () => void
}

const APP = 'app'
const MARKDOWN = /\.(?:md|markdown)$/i

/** Shows the app of a workspace, or a program's HTTP server, with address bar and console. */
export function createPreviewView({
  session,
  frameHost: host,
  relative,
  onOpenPath,
  isPath,
  onClose,
  onProblem,
}: PreviewViewOptions): PreviewView {
  const { servers, workspace } = session
  const frame = h('div', { class: 'preview-frame' })
  const text = h('div', { class: 'preview-article', tabindex: 0, role: 'region', 'aria-label': 'Document', hidden: true })
  const stage = h('div', { class: 'preview-stage' }, frame, text)
  const sizes = createSizes(stage, frame)
  const source = h('select', { class: 'input preview-source', 'aria-label': 'Shown', on: { change: onSource } })
  const address = h('input', {
    class: 'input preview-address',
    'aria-label': 'Address',
    value: '/',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    enterkeyhint: 'go',
  })
  const form = h('form', { class: 'preview-go', 'aria-label': 'Address of the app', on: { submit: onSubmit } }, source, address)
  const expand = button('Expand', 'expand', () => {
    const isExpanded = element.classList.toggle('is-expanded')
    expand.setAttribute('aria-pressed', String(isExpanded))
  })
  expand.setAttribute('aria-pressed', 'false')
  expand.classList.add('preview-expand')
  const log = createConsoleList({ relative, onOpenPath })
  const element = h(
    'div',
    { class: 'preview-view' },
    h(
      'div',
      { class: 'pane-head preview-head' },
      button('Reload', 'reset', onReload),
      form,
      sizes.element,
      expand,
      button('Close the preview', 'cross', onClose),
    ),
    stage,
    log.element,
  )

  let port: number | undefined
  let making: Promise<Preview> | undefined
  let preview: Preview | undefined
  let isDisposed = false
  /** The rendered document: its path in the workspace, and the version drawn. */
  let article: { readonly path: string; version: string | undefined } | undefined

  function make(path: string): Promise<Preview> {
    making ??= start(path).catch((error: unknown) => {
      making = undefined
      throw error
    })
    return making
  }

  async function start(path: string): Promise<Preview> {
    const made = await createPreview({
      workspace,
      container: host === undefined ? frame : await bodyOf(host, frame),
      path,
      bundler: session.bundler,
      servers,
    })
    if (isDisposed) made.dispose()
    preview = made
    session.preview.follow(made)
    for (const event of made.read({ limit: 1000 }).events) log.add(event)
    made.onEvent((event) => {
      log.add(event)
      if (event.type === 'loaded' || event.type === 'navigated') tellAddress(event.url)
    })
    return made
  }

  async function show({ path, port: wanted, asText }: ShownPage): Promise<void> {
    const next = path ?? (wanted === port ? address.value : '/')
    port = wanted
    followServers()
    address.value = next
    if (asText && port === undefined && MARKDOWN.test(next)) return showText(decodeURIComponent(next.slice(1)))
    article = undefined
    text.hidden = true
    frame.hidden = false
    log.clear()
    const page = port === undefined ? next : `http://localhost:${port}${next}`
    if (making) await (await making).open(page)
    else await make(page)
  }

  async function showText(path: string): Promise<void> {
    const { version } = await workspace.stat(path)
    const { text: source } = await workspace.readText(path)
    const isNew = article?.path !== path
    article = { path, version }
    const prose = createProse({ isPath, onOpenPath })
    prose.append(source)
    prose.settle()
    text.replaceChildren(prose.element)
    text.hidden = false
    frame.hidden = true
    if (isNew) text.scrollTop = 0
  }

  /** Runs an action of the user and reports its failure on the page. */
  const attempt = (work: () => Promise<unknown>): void => void work().catch((error: unknown) => onProblem(messageOf(error)))

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    const path = address.value.trim().replace(/^(?:https?:\/\/[^/]*)?\/*/i, '/')
    attempt(() => show({ path, asText: true, ...(port !== undefined && { port }) }))
  }

  function onSource(): void {
    const chosen = source.value === APP ? {} : { port: Number(source.value) }
    attempt(() => show({ path: '/', ...chosen }))
  }

  function onReload(): void {
    log.clear()
    attempt(async () => (article ? showText(article.path) : preview?.reload()))
  }

  function tellAddress(url: string): void {
    if (!preview || document.activeElement === address) return
    const { pathname, search, hash } = new URL(url)
    address.value = `${pathname}${search}${hash}`
  }

  function followServers(): void {
    const all = port === undefined || servers.ports.includes(port) ? servers.ports : [...servers.ports, port]
    source.replaceChildren(h('option', { value: APP }, 'App'), ...all.map((one) => h('option', { value: String(one) }, `localhost:${one}`)))
    source.value = port === undefined ? APP : String(port)
    source.hidden = all.length === 0
  }

  followServers()
  return {
    element,
    show,
    followServers,
    seen({ versions }) {
      if (!article) return
      const version = versions.get(article.path)
      if (version === undefined || version === article.version) return
      article.version = version
      attempt(() => showText(article?.path ?? ''))
    },
    dispose() {
      isDisposed = true
      sizes.dispose()
      log.dispose()
      preview?.dispose()
    },
  }
}

/** Loads a page of this site with its own CSP, because the frames of apps need inline scripts. @throws {Error} if the page does not load */
async function bodyOf(address: string, place: HTMLElement): Promise<HTMLElement> {
  const host = h('iframe', { src: address, class: 'preview-host', title: 'App' })
  await new Promise((resolve) => {
    host.addEventListener('load', resolve, { once: true })
    place.replaceChildren(host)
  })
  const { contentDocument: page } = host
  if (page?.title !== 'Preview') throw new Error(`Cannot show the app: the page "${address}" could not be loaded. Reload the playground.`)
  return page.body
}

function button(label: string, name: 'reset' | 'expand' | 'cross', onClick: () => void): HTMLButtonElement {
  return h(
    'button',
    { type: 'button', class: 'button icon-button quiet small', 'aria-label': label, title: label, on: { click: onClick } },
    icon(name),
  )
}
