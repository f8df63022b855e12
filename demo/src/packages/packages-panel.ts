import { textButton } from '../button.js'
import { type CallRecord, callTool } from '../calls.js'
import { h, uniqueId } from '../dom.js'
import { formatDuration, plural } from '../format.js'
import { messageOf } from '../notice.js'
import { STANDARD } from '../presets/choice.js'
import type { Session, Snapshot } from '../session.js'
import { type ProjectPackage, projectPackages } from './installed.js'
import { NO_REGISTRY, type PackageSource } from './registry.js'

export interface PackagesPanel {
  readonly element: HTMLElement
  use(session: Session): void
  /** Call after each snapshot of the workspace. Redraws the list if the installed packages have changed. Never rejects. */
  seen(snapshot: Snapshot): Promise<void>
  /** Call when the panel is shown. Checks whether a registry is available. */
  shown(): void
}

export interface PackagesPanelOptions {
  readonly packages: PackageSource | undefined
  readonly onCall: (record: CallRecord) => Promise<void>
  /** Called when the user wants a program that uses the package. */
  readonly onTry: (name: string) => void
}

const TOOL = 'install_js_packages'

/** The packages in package.json, and a form to install more. */
export function createPackagesPanel({ packages, onCall, onTry }: PackagesPanelOptions): PackagesPanel {
  const missing = h('p', { class: 'packages-missing note', hidden: true })
  const name = h('input', {
    class: 'input',
    id: uniqueId('package'),
    placeholder: 'nanoid, zod@^4',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  })
  const install = h('button', { type: 'submit', class: 'button small primary' }, 'Install')
  const cancel = textButton('Cancel', () => abort?.abort(), { class: 'small', hidden: true })
  const all = textButton('Install what package.json asks for', () => void run([]), { class: 'small', hidden: true })
  const bar = h('progress', { class: 'packages-progress', 'aria-label': 'Progress', hidden: true })
  const status = h('p', { class: 'packages-status', role: 'status' })
  const problem = h('p', { class: 'packages-problem', role: 'alert' })
  const warnings = h('ul', { class: 'packages-warnings', 'aria-label': 'Warnings' })
  const form = h(
    'form',
    { class: 'packages-form', novalidate: true, 'aria-label': 'Install packages', on: { submit: onSubmit } },
    h('label', { for: name.id }, 'Install from the registry'),
    name,
    h('div', { class: 'packages-actions' }, install, cancel, all),
    bar,
    status,
    problem,
    warnings,
  )
  const list = h('ul', { class: 'packages', 'aria-label': 'Packages of the workspace' })
  const empty = h('p', { class: 'empty' }, 'No packages yet. Programs and tools of this workspace import what is installed here.')
  const foot = h('p', { class: 'pane-foot' })
  const element = h('div', { class: 'packages-panel' }, missing, form, list, empty, foot)

  let session: Session | undefined
  let abort: AbortController | undefined
  let drawn: string | undefined
  let asked = false

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    const wanted = name.value.split(/[\s,]+/).filter(Boolean)
    if (wanted.length > 0) void run(wanted)
    else {
      tell('Give the name of a package.')
      name.focus()
    }
  }

  function tell(text: string): void {
    status.textContent = ''
    warnings.replaceChildren()
    problem.textContent = text
  }

  function setRunning(running: boolean): void {
    install.setAttribute('aria-disabled', String(running))
    cancel.hidden = bar.hidden = !running
    bar.removeAttribute('value')
  }

  async function run(wanted: readonly string[]): Promise<void> {
    const own = session
    if (abort || !own) return
    const mine = new AbortController()
    abort = mine
    tell('')
    setRunning(true)
    status.textContent = 'Looking for them…'
    const agent = own.agent({ choice: { name: STANDARD, about: '' } })
    const record = await callTool(agent, TOOL, { packages: wanted }, { signal: mine.signal, onProgress })
    if (session !== own) return
    abort = undefined
    // Moves the focus back if the Cancel button had it.
    if (document.activeElement === cancel) install.focus()
    setRunning(false)
    show(record)
    await onCall(record)
  }

  function onProgress(update: unknown): void {
    const { phase, done, total, name: of } = update as { phase: string; done: number; total: number; name: string }
    bar.max = Math.max(1, total)
    bar.value = done
    status.textContent = `${WORDS[phase] ?? phase}: ${done} of ${total}${of ? `, ${of}` : ''}`
  }

  function show({ result, duration }: CallRecord): void {
    if (!result.ok) {
      tell(result.output.status === 'aborted' ? 'Cancelled: nothing was installed.' : result.error)
      return
    }
    const { installed, added, updated, removed, warnings: told } = result.output as unknown as Installed
    const changes = [added && `${added} added`, updated && `${updated} updated`, removed && `${removed} removed`].filter(Boolean)
    const what = installed.map((one) => `${one.name} ${one.version}`).join(', ') || 'What package.json asks for'
    const is = installed.length > 1 ? 'are' : 'is'
    status.textContent = `${what} ${is} installed (${changes.join(', ') || 'nothing to do'}, ${formatDuration(duration)}).`
    warnings.replaceChildren(...told.map(({ message }) => h('li', {}, message)))
    if (installed.length > 0) name.value = ''
  }

  async function draw(own: Session): Promise<void> {
    let found: readonly ProjectPackage[] = []
    try {
      found = await projectPackages(own.workspace)
      foot.textContent = found.length ? `${plural(found.length, 'package')} in package.json` : ''
    } catch (error) {
      foot.textContent = messageOf(error)
    }
    if (session !== own) return
    const focused = list.contains(document.activeElement) ? document.activeElement?.getAttribute('aria-label') : undefined
    list.replaceChildren(...found.map(row))
    if (focused) [...list.querySelectorAll('button')].find((button) => button.getAttribute('aria-label') === focused)?.focus()
    empty.hidden = found.length > 0
    list.hidden = found.length === 0
    foot.hidden = foot.textContent === ''
    all.hidden = !found.some(({ version }) => version === undefined)
  }

  function row({ name: of, wanted, version, dev }: ProjectPackage): HTMLElement {
    const detail = [version ?? 'not installed', wanted, dev && 'dev'].filter(Boolean).join(' · ')
    return h(
      'li',
      { class: `package${version === undefined ? ' is-missing' : ''}` },
      h('span', { class: 'package-name', title: of }, of),
      h('span', { class: 'package-detail' }, detail),
      version !== undefined &&
        textButton('Try', () => onTry(of), {
          icon: 'run',
          class: 'small quiet',
          'aria-label': `Try ${of}`,
          title: 'A program that uses it',
        }),
    )
  }

  function tellMissing(text: string | undefined): void {
    missing.textContent = text ?? ''
    missing.hidden = text === undefined
    form.hidden = text !== undefined
  }

  if (!packages) tellMissing(NO_REGISTRY)
  return {
    element,
    use(next) {
      abort?.abort()
      abort = undefined
      session = next
      drawn = undefined
      tell('')
      setRunning(false)
    },
    async seen({ versions }) {
      if (!session) return
      const relevant = [...versions].filter(([path]) => /^(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)?package\.json$/.test(path))
      const now = relevant.map((entry) => entry.join(' ')).join('\n')
      if (now === drawn) return
      drawn = now
      await draw(session)
    },
    shown() {
      if (!packages || asked) return
      asked = true
      void packages.missing().then((text) => {
        tellMissing(text)
        // Checks again when the panel is opened next, because the server may have started by then.
        asked = text === undefined
      })
    },
  }
}

const WORDS: Readonly<Record<string, string>> = { resolve: 'Finding', fetch: 'Fetching', unpack: 'Unpacking', write: 'Writing files' }

interface Installed {
  readonly installed: readonly { readonly name: string; readonly version: string }[]
  readonly added: number
  readonly updated: number
  readonly removed: number
  readonly warnings: readonly { readonly message: string }[]
}
