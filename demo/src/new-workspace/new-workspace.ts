import { createArchiveChooser } from '../archives/archive-chooser.js'
import { textButton } from '../button.js'
import { h, uniqueId } from '../dom.js'
import { pickFolder } from '../folder/open-folder.js'
import { plural } from '../format.js'
import { type Home, homeChoices, isKept } from '../homes/homes.js'
import type { Task } from '../homes/task-bar.js'
import { type Sample, samples } from '../samples/samples.js'
import { archiveBeginning, type Beginning, emptyBeginning, folderBeginning, gitBeginning, sampleBeginning } from './beginnings.js'
import { createGitForm } from './git-form.js'

export interface NewWorkspaceOptions {
  /** Runs one task at a time. A rejection is shown to the user. The dialog closes afterwards, unless the task returns `false`. */
  readonly act: (work: (task: Task) => Promise<unknown>, doing?: string) => Promise<void>
  readonly onCreate: (home: Home, beginning: Beginning, task?: Task) => Promise<boolean>
}

/** The part of the dialog that creates new workspaces. */
export interface NewWorkspacePart {
  readonly elements: readonly HTMLElement[]
  show(current: Home | undefined): void
  /** Called when the dialog closes: cancels the running task. */
  stop(): void
}

export function createNewWorkspace({ act, onCreate }: NewWorkspaceOptions): NewWorkspacePart {
  const target = createTarget()
  const create = (beginning: Beginning, task?: Task): Promise<boolean> => onCreate(target.home(beginning.name), beginning, task)
  const git = createGitForm((wish, cloning) => act(() => create(gitBeginning(wish, cloning))))
  const chooser = createArchiveChooser('Archive for a new workspace', (file) => begin(archiveBeginning(file)))
  const toggle = textButton('Git repository', showGit, { icon: 'branch', 'aria-expanded': 'false' })

  const begin = (beginning: Beginning): void => void act((task) => create(beginning, task), `Making “${beginning.name}”`)

  function onFolder(): void {
    void act(async (task) => {
      const { signal } = task
      const folder = await pickFolder({ signal, onFiles: (count) => task.tell(`${plural(count, 'file')} read`) })
      signal.throwIfAborted()
      if (!folder) return false
      return create(folderBeginning(folder), task)
    }, 'Reading the folder')
  }

  function showGit(): void {
    git.element.hidden = !git.element.hidden
    toggle.setAttribute('aria-expanded', String(!git.element.hidden))
    if (!git.element.hidden) git.element.querySelector('input')?.focus()
  }

  return {
    elements: [
      h('h3', {}, 'New workspace'),
      target.element,
      h(
        'ul',
        { class: 'samples', 'aria-label': 'Samples' },
        ...samples.map((sample) => sampleRow(sample, () => begin(sampleBeginning(sample)))),
      ),
      h(
        'div',
        { class: 'dialog-actions' },
        toggle,
        textButton('Archive as new…', () => chooser.click(), { icon: 'file' }),
        textButton('Folder as new…', onFolder, { icon: 'folder' }),
        textButton('Empty', () => begin(emptyBeginning), { icon: 'plus' }),
        chooser,
      ),
      git.element,
    ],
    show: target.show,
    stop: git.stop,
  }
}

function sampleRow({ label, about }: Sample, onOpen: () => void): HTMLElement {
  return h(
    'li',
    { class: 'sample' },
    h('div', { class: 'sample-text' }, h('span', { class: 'sample-label' }, label), h('span', { class: 'home-about' }, about)),
    textButton('Open', onOpen, { class: 'small', 'aria-label': `Open the sample ${label}` }),
  )
}

/** Storage and name of a new workspace. */
interface Target {
  readonly element: HTMLElement
  /** `name`: default name if the user entered none. */
  home(name: string): Home
  /** Called when the dialog opens. `current`: the open workspace. */
  show(current: Home | undefined): void
}

function createTarget(): Target {
  const place = h('select', { class: 'input', id: uniqueId('place') })
  const name = h('input', {
    class: 'input',
    id: uniqueId('new-name'),
    placeholder: 'its usual name',
    maxlength: 60,
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const leaving = h('p', { class: 'dialog-note new-leaving', hidden: true })
  const element = h(
    'div',
    { class: 'new-target' },
    h('label', { for: place.id }, 'Lives in'),
    place,
    h('label', { for: name.id }, 'Called'),
    name,
    leaving,
  )

  return {
    element,
    home: (own) => ({ kind: homeChoices.find(({ kind }) => kind === place.value)?.kind ?? 'memory', name: name.value.trim() || own }),
    show(current) {
      const chosen = place.value
      const options = homeChoices.map(({ kind, label, kept, missing }) => {
        const attributes = { value: kind, disabled: missing() !== undefined, selected: kind === chosen }
        return h('option', attributes, `${label}, ${kept ? 'kept' : 'not kept'}`)
      })
      place.replaceChildren(...options)
      name.value = ''
      const isLost = current !== undefined && !isKept(current)
      leaving.hidden = !isLost
      leaving.textContent = isLost ? 'What is open now is not kept: it is gone when another is opened. Keep or export it first.' : ''
    },
  }
}
