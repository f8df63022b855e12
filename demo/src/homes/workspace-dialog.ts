import { ARCHIVES, type ExportKind, exportKinds } from '../archives/archives.js'
import { h, uniqueId } from '../dom.js'
import { icon } from '../icons.js'
import { choiceOf, type Home, type HomeChoice, homeChoices, isKept } from './homes.js'
import { type KnownHome, knownHomes } from './known-homes.js'

export interface WorkspaceDialog {
  readonly element: HTMLDialogElement
  /** `home`: where the workspace is that is open now. */
  open(home: Home): void
  close(): void
}

/** What can be asked for. Each rejects with what is to be told; the dialog stays open then. */
export interface WorkspaceDialogOptions {
  readonly onOpen: (home: Home) => Promise<void>
  readonly onDelete: (home: Home) => Promise<void>
  readonly onFolder: () => void
  readonly onImport: (file: File) => Promise<void>
  readonly onExport: (kind: ExportKind) => Promise<void>
}

const DEFAULT_NAME = 'playground'
const when = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hour12: false })

/** Where the workspace lives, and what goes in and out. */
export function createWorkspaceDialog(options: WorkspaceDialogOptions): WorkspaceDialog {
  const heading = h('h2', { id: uniqueId('workspace'), tabindex: -1 }, 'Workspace')
  const problem = h('p', { class: 'dialog-problem', role: 'alert' })
  const promise = h('p', { class: 'dialog-note' })
  const group = uniqueId('home')
  const cards = homeChoices.map((choice) => createCard(choice, group, showName))
  const name = h('input', {
    class: 'input',
    id: uniqueId('name'),
    value: DEFAULT_NAME,
    maxlength: 60,
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const nameRow = h('div', { class: 'dialog-name' }, h('label', { for: name.id }, 'Name'), name)
  const nameNote = h(
    'p',
    { class: 'dialog-note' },
    'What is kept under this name is opened. Where nothing is, the files that are open now are put there.',
  )
  const go = h('button', { type: 'submit', class: 'button primary' }, 'Open')
  const homes = h('form', { class: 'dialog-part', on: { submit: onSubmit } })
  homes.append(
    h('h3', {}, 'Where it lives'),
    h('div', { class: 'home-cards', role: 'radiogroup', 'aria-label': 'Where it lives' }, ...cards.map(({ element }) => element)),
    nameRow,
    nameNote,
    h('div', { class: 'dialog-actions' }, go, promise),
  )
  const known = h('ul', { class: 'known-homes' })
  const knownPart = h('section', { class: 'dialog-part', 'aria-label': 'Kept in this browser' }, h('h3', {}, 'Kept in this browser'), known)
  const chooser = h('input', {
    type: 'file',
    accept: ARCHIVES,
    class: 'visually-hidden',
    tabindex: -1,
    'aria-label': 'Archive to import',
    on: { change: onArchive },
  })
  const archives = h(
    'section',
    { class: 'dialog-part', 'aria-label': 'Import and export' },
    h('h3', {}, 'Import'),
    h(
      'div',
      { class: 'dialog-actions' },
      h('button', { type: 'button', class: 'button', on: { click: () => chooser.click() } }, icon('file'), 'Archive…'),
      h('button', { type: 'button', class: 'button', on: { click: onFolder } }, icon('folder'), 'Folder…'),
      chooser,
    ),
    h(
      'p',
      { class: 'dialog-note' },
      'The files of an archive (tar, zip, snapshot) are added to this workspace; the timeline takes them back. A folder opens as a new workspace in memory.',
    ),
    h('h3', {}, 'Export'),
    h(
      'div',
      { class: 'dialog-actions' },
      ...exportKinds.map(({ kind, label, about }) =>
        h('button', { type: 'button', class: 'button', title: about, on: { click: () => void act(() => options.onExport(kind)) } }, label),
      ),
    ),
  )
  const close = h(
    'button',
    { type: 'button', class: 'button icon-button quiet small', 'aria-label': 'Close', on: { click: () => element.close() } },
    icon('cross'),
  )
  const element = h(
    'dialog',
    { class: 'dialog', 'aria-labelledby': heading.id },
    h('div', { class: 'dialog-head' }, heading, close),
    h('div', { class: 'dialog-body' }, problem, homes, knownPart, archives),
  )
  let current: Home | undefined
  let busy = false

  const chosen = (): HomeChoice => cards.find(({ input }) => input.checked)?.choice ?? (homeChoices[0] as HomeChoice)

  function showName(): void {
    const kept = chosen().kind !== 'memory'
    nameRow.hidden = nameNote.hidden = promise.hidden = !kept
    go.textContent = kept ? 'Open' : 'Move into memory'
    go.hidden = !kept && current !== undefined && !isKept(current)
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    const { kind } = chosen()
    const wanted = kind === 'memory' ? (current?.name ?? 'workspace') : name.value.trim()
    if (wanted === '') {
      problem.textContent = 'Give it a name.'
      name.focus()
      return
    }
    void act(() => options.onOpen({ kind, name: wanted }))
  }

  function onFolder(): void {
    element.close()
    options.onFolder()
  }

  function onArchive(): void {
    const [file] = chooser.files ?? []
    chooser.value = ''
    if (file) void act(() => options.onImport(file))
  }

  /** One thing at a time; closed when it is done. */
  async function act(work: () => Promise<void>, stays = false): Promise<void> {
    if (busy) return
    busy = true
    element.setAttribute('aria-busy', 'true')
    problem.textContent = ''
    try {
      await work()
      if (!stays) element.close()
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : String(error)
      problem.scrollIntoView({ block: 'nearest' })
    } finally {
      busy = false
      element.removeAttribute('aria-busy')
    }
  }

  function drawKnown(): void {
    const all = knownHomes()
    knownPart.hidden = all.length === 0
    known.replaceChildren(...all.map(drawHome))
  }

  function drawHome(home: KnownHome): HTMLElement {
    const isOpen = current?.kind === home.kind && current.name === home.name
    const label = `${home.name}, ${choiceOf(home.kind).label}`
    return h(
      'li',
      { class: 'known-home' },
      h('span', { class: 'known-name' }, home.name),
      h('span', { class: 'known-about' }, `${choiceOf(home.kind).label}, ${isOpen ? 'open now' : when.format(new Date(home.opened))}`),
      !isOpen &&
        h(
          'button',
          {
            type: 'button',
            class: 'button small',
            'aria-label': `Open ${label}`,
            on: { click: () => void act(() => options.onOpen(home)) },
          },
          'Open',
        ),
      !isOpen && deleteButton(home, label),
    )
  }

  /** Asks once more, in its own place. */
  function deleteButton(home: Home, label: string): HTMLElement {
    const button = h('button', { type: 'button', class: 'button small quiet', 'aria-label': `Delete ${label}` }, 'Delete')
    let asked = false
    button.addEventListener('click', () => {
      if (!asked) {
        asked = true
        button.textContent = 'Delete for good?'
        button.setAttribute('aria-label', `Delete for good? ${label}`)
        button.classList.add('is-danger')
        return
      }
      void act(async () => {
        await options.onDelete(home)
        drawKnown()
        heading.focus()
      }, true)
    })
    return button
  }

  return {
    element,
    open(home) {
      current = home
      problem.textContent = ''
      for (const card of cards) card.show(home.kind)
      name.value = isKept(home) ? home.name : DEFAULT_NAME
      showName()
      drawKnown()
      void tellPromise(promise)
      element.showModal()
      heading.focus()
    },
    close: () => element.close(),
  }
}

interface Card {
  readonly choice: HomeChoice
  readonly element: HTMLElement
  readonly input: HTMLInputElement
  show(open: string): void
}

function createCard(choice: HomeChoice, group: string, onChange: () => void): Card {
  const missing = choice.missing()
  const about = h('span', { class: 'home-about', id: uniqueId('about') }, missing ?? choice.about)
  const input = h('input', {
    type: 'radio',
    name: group,
    value: choice.kind,
    class: 'home-radio',
    disabled: missing !== undefined,
    'aria-describedby': about.id,
    on: { change: onChange },
  })
  const badge = h('span', { class: 'home-badge', hidden: true }, 'open now')
  const element = h('label', { class: 'home-card' }, input, h('span', { class: 'home-label' }, choice.label, badge), about)
  return {
    choice,
    element,
    input,
    show(open) {
      input.checked = open === choice.kind
      badge.hidden = open !== choice.kind
    },
  }
}

/** Whether the browser may clear what is kept here when it needs room. */
async function tellPromise(note: HTMLElement): Promise<void> {
  const { storage } = navigator
  const kept = storage?.persisted ? await storage.persisted().catch(() => false) : false
  note.textContent = kept ? 'This browser has promised to keep it.' : 'This browser may clear it when it needs room. Export what matters.'
}
