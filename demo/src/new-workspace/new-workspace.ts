import { createArchiveChooser } from '../archives/archive-chooser.js'
import { h } from '../dom.js'
import { pickFolder } from '../folder/open-folder.js'
import { plural } from '../format.js'
import type { Home } from '../homes/homes.js'
import type { Task } from '../homes/task-bar.js'
import { icon } from '../icons.js'
import { type Sample, samples } from '../samples/samples.js'
import { archiveBeginning, type Beginning, emptyBeginning, folderBeginning, gitBeginning, sampleBeginning } from './beginnings.js'
import { createGitForm } from './git-form.js'
import { createTarget } from './target.js'

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
  const toggle = h(
    'button',
    { type: 'button', class: 'button', 'aria-expanded': 'false', on: { click: showGit } },
    icon('branch'),
    'Git repository',
  )

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

  const button = (label: string, name: Parameters<typeof icon>[0], onClick: () => void): HTMLElement =>
    h('button', { type: 'button', class: 'button', on: { click: onClick } }, icon(name), label)

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
        button('Archive as new…', 'file', () => chooser.click()),
        button('Folder as new…', 'folder', onFolder),
        button('Empty', 'plus', () => begin(emptyBeginning)),
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
    h('button', { type: 'button', class: 'button small', 'aria-label': `Open the sample ${label}`, on: { click: onOpen } }, 'Open'),
  )
}
