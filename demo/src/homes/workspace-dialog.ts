import { createArchiveChooser } from '../archives/archive-chooser.js'
import { type ExportKind, exportKinds } from '../archives/archives.js'
import { textButton } from '../button.js'
import { createDialogHead } from '../dialog-head.js'
import { h, uniqueId } from '../dom.js'
import type { Beginning } from '../new-workspace/beginnings.js'
import type { NewWorkspacePart } from '../new-workspace/new-workspace.js'
import { messageOf } from '../notice.js'
import { visible } from '../visible.js'
import { createHomeCard, type HomeCard } from './home-card.js'
import { choiceOf, type Home, type HomeChoice, homeChoices } from './homes.js'
import { isKnown, type KnownHome, knownHomes } from './known-homes.js'
import { createTaskBar, type Task } from './task-bar.js'
import { clearUnfinished } from './unfinished.js'

export interface WorkspaceDialog {
  readonly element: HTMLDialogElement
  /** `home`: the open workspace. */
  open(home: Home): void
  close(): void
}

/** Actions of the dialog. A rejection is shown to the user. The dialog stays open after a rejection, or after `false`. */
export interface WorkspaceDialogOptions {
  readonly onOpen: (home: Home, task: Task) => Promise<boolean>
  readonly onDelete: (home: Home) => Promise<void>
  /** Creates a workspace with the given content. */
  readonly onCreate: (home: Home, beginning: Beginning, task?: Task) => Promise<boolean>
  readonly onImport: (file: File, task: Task) => Promise<void>
  readonly onExport: (kind: ExportKind, task: Task) => Promise<void>
}

const when = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hour12: false })

/** The dialog for the workspace: storage, import and export, new workspaces. */
export function createWorkspaceDialog(options: WorkspaceDialogOptions): WorkspaceDialog {
  const heading = h('h2', { id: uniqueId('workspace'), tabindex: -1 }, 'Workspace')
  const problem = h('p', { class: 'dialog-problem', role: 'alert' })
  const promise = h('p', { class: 'dialog-note' })
  const tasks = createTaskBar()
  const group = uniqueId('home')
  const cards = homeChoices.map((choice) =>
    createHomeCard(choice, group, () => {
      showChosen()
      chosenPart.scrollIntoView({ block: 'nearest' })
    }),
  )
  const name = h('input', {
    class: 'input',
    id: uniqueId('name'),
    maxlength: 60,
    autocomplete: 'off',
    spellcheck: 'false',
    on: { input: nameAction },
  })
  const nameRow = h('div', { class: 'dialog-name' }, h('label', { for: name.id }, 'Name'), name)
  const nameNote = h('p', { class: 'dialog-note' })
  const go = h('button', { type: 'submit', class: 'button primary' })
  const actions = h('div', { class: 'dialog-actions' }, go, promise)
  // Follows the selected card, so that the next button is easy to find.
  const chosenPart = h('div', { class: 'home-chosen' }, nameRow, nameNote, actions)
  const homes = h('form', { class: 'dialog-part', on: { submit: onSubmit } })
  homes.append(
    h('h3', {}, 'Where this workspace lives'),
    h(
      'div',
      { class: 'home-cards', role: 'radiogroup', 'aria-label': 'Where this workspace lives' },
      ...cards.map(({ element }) => element),
    ),
  )
  const known = h('ul', { class: 'known-homes' })
  const knownPart = h(
    'section',
    { class: 'dialog-part known-part', 'aria-label': 'Kept in this browser' },
    h('h3', {}, 'Kept in this browser'),
    known,
  )
  const chooser = createArchiveChooser(
    'Archive to import',
    (file) => void act((task) => options.onImport(file, task), `Importing “${file.name}”`),
  )
  const archives = h(
    'section',
    { class: 'dialog-part', 'aria-label': 'Import and export' },
    h(
      'div',
      { class: 'dialog-beside' },
      h(
        'div',
        {},
        h('h3', {}, 'Import into this workspace'),
        h(
          'div',
          { class: 'dialog-actions' },
          textButton('Archive…', () => chooser.click(), { icon: 'file' }),
          chooser,
        ),
      ),
      h(
        'div',
        {},
        h('h3', {}, 'Export'),
        h(
          'div',
          { class: 'dialog-actions' },
          ...exportKinds.map(({ kind, label, about }) =>
            textButton(label, () => void act((task) => options.onExport(kind, task), 'Packing the files'), { title: about }),
          ),
        ),
      ),
    ),
    h(
      'p',
      { class: 'dialog-note' },
      'The files of an archive (tar, zip, snapshot) are added to what is open now, in the place of those of the same name; the timeline takes them back.',
    ),
  )
  const newPart = h(
    'section',
    { class: 'dialog-part', 'aria-label': 'New workspace' },
    h('h3', {}, 'New workspace'),
    h('p', { class: 'dialog-note' }, 'Loading what there is to begin with…'),
  )
  const body = h('div', { class: 'dialog-body' }, problem, knownPart, newPart, archives, homes)
  const element = h(
    'dialog',
    { class: 'dialog', 'aria-labelledby': heading.id, on: { close: stop } },
    createDialogHead(heading, () => element.close()),
    tasks.element,
    body,
  )
  let current: Home | undefined
  let fresh: NewWorkspacePart | undefined
  let busy = false
  /** The cleanup of incomplete workspaces from earlier visits. */
  let clearing: Promise<void> | undefined

  const chosenCard = (): HomeCard => cards.find(({ input }) => input.checked) ?? (cards[0] as HomeCard)
  const chosen = (): HomeChoice => chosenCard().choice
  const wantedName = (): string => (chosen().kept ? name.value.trim() : (current?.name ?? 'workspace'))

  function showChosen(): void {
    const { kind, kept } = chosen()
    chosenCard().element.after(chosenPart)
    nameRow.hidden = nameNote.hidden = promise.hidden = !kept
    // An in-memory storage has no other workspaces to open, only a place for this one.
    chosenPart.hidden = !kept && current?.kind === kind
    nameAction()
  }

  /** Labels the button by its effect, which depends on whether the name exists. */
  function nameAction(): void {
    const { kind, kept, label } = chosen()
    const wanted = wantedName()
    const isOpen = current?.kind === kind && current.name === wanted
    const isThere = isKnown({ kind, name: wanted })
    actions.hidden = kept && isOpen
    go.textContent = !kept ? `Move into ${kind === 'memory' ? 'memory' : label}` : isThere ? 'Open' : 'Keep here'
    if (isOpen) nameNote.textContent = 'This is open now. Another name opens what is kept under that, or keeps a copy of these files there.'
    else if (isThere) nameNote.textContent = `“${wanted}” is kept there already: it is opened, and the files that are open now are left.`
    else
      nameNote.textContent =
        'The files that are open now are put there with their timeline. You go on with them there, and so does the conversation.'
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    const { kind } = chosen()
    const wanted = wantedName()
    if (wanted === '') {
      name.focus({ preventScroll: true })
      tellProblem('Give it a name.')
      return
    }
    void act((task) => options.onOpen({ kind, name: wanted }, task), 'Putting the files there')
  }

  /** Loads the part for new workspaces when the dialog first opens. Retries after a failure with the next opening. */
  async function loadFresh(): Promise<void> {
    if (fresh) return fresh.show(current)
    try {
      const { createNewWorkspace } = await import('../new-workspace/new-workspace.js')
      fresh ??= createNewWorkspace({ act, onCreate: options.onCreate })
      newPart.replaceChildren(...fresh.elements)
      fresh.show(current)
    } catch (error) {
      newPart.lastElementChild?.replaceChildren(`This part could not be loaded: ${messageOf(error)}`)
    }
  }

  /** Closing the dialog cancels its task, so that nothing changes a workspace behind the user's back. */
  function stop(): void {
    tasks.stop()
    fresh?.stop()
  }

  function tellProblem(text: string): void {
    // The text may contain names from outside, so invisible characters are shown.
    problem.replaceChildren(...visible(text))
    problem.scrollIntoView({ block: 'nearest' })
  }

  /**
   * Runs one task at a time. Closes the dialog afterwards, unless the task returns `false`. `doing` undefined: the task shows its own
   * progress.
   */
  async function act(work: (task: Task) => Promise<unknown>, doing?: string, canStop = true): Promise<void> {
    if (busy) return
    const goOn = hold(doing === undefined ? [knownPart, archives, homes] : [knownPart, newPart, archives, homes])
    problem.textContent = ''
    const task = tasks.begin(doing, canStop)
    let failed: string | undefined
    try {
      await clearing
      if ((await work(task)) !== false) element.close()
    } catch (error) {
      failed = task.signal.aborted ? 'It was stopped: everything is as it was.' : messageOf(error)
    } finally {
      tasks.end()
      goOn()
      // Scrolls only now: the progress bar is gone and the focus has moved, so nothing scrolls the problem away.
      if (failed !== undefined) tellProblem(failed)
    }
  }

  /** Disables the parts until the returned function is called, which also restores the focus. */
  function hold(parts: readonly HTMLElement[]): () => void {
    const focused = document.activeElement
    busy = true
    element.setAttribute('aria-busy', 'true')
    for (const part of parts) part.inert = true
    // Keeps the dialog scrollable by keyboard.
    body.tabIndex = 0
    if (parts.some((part) => part.contains(focused))) heading.focus()
    return () => {
      busy = false
      element.removeAttribute('aria-busy')
      for (const part of parts) part.inert = false
      body.removeAttribute('tabindex')
      const now = document.activeElement
      const isFree = now === heading || tasks.element.contains(now) || !body.contains(now)
      if (element.open && isFree && focused instanceof HTMLElement) focused.focus({ preventScroll: true })
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
        textButton('Open', () => void act((task) => options.onOpen(home, task), `Opening “${home.name}”`), {
          class: 'small',
          'aria-label': `Open ${label}`,
        }),
      !isOpen && deleteButton(home, label),
    )
  }

  /** A delete button that asks for confirmation in place. */
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
      const remove = async (): Promise<boolean> => {
        await options.onDelete(home)
        drawKnown()
        heading.focus()
        return false
      }
      void act(remove, `Deleting “${home.name}”`, false)
    })
    return button
  }

  return {
    element,
    open(home) {
      current = home
      problem.textContent = ''
      for (const card of cards) card.show(home.kind)
      name.value = home.name
      showChosen()
      drawKnown()
      if (!busy) clearing = clearUnfinished().then(drawKnown)
      void tellPromise(promise)
      void loadFresh()
      element.showModal()
      heading.focus()
    },
    close: () => element.close(),
  }
}

/** Shows whether the browser may clear the stored workspaces when it needs room. */
async function tellPromise(note: HTMLElement): Promise<void> {
  const { storage } = navigator
  const kept = storage?.persisted ? await storage.persisted().catch(() => false) : false
  note.textContent = kept ? 'This browser has promised to keep it.' : 'This browser may clear it when it needs room. Export what matters.'
}
