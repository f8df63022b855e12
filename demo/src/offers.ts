import { h } from './dom.js'
import { type IconName, icon } from './icons.js'
import { FILE_KEYS } from './search/shortcuts.js'

export interface Offer {
  /** Asks for the name of a new file. */
  readonly onNewFile: () => void
  readonly onOpenFolder: () => void
  /** Shows the samples. */
  readonly onSamples: () => void
}

/** The empty state of a workspace without files, with its actions. */
export function createOffers({ onNewFile, onOpenFolder, onSamples }: Offer): HTMLElement {
  return h(
    'div',
    { class: 'empty offers' },
    h('strong', {}, 'No files yet'),
    h('p', {}, 'Make one, or begin with files that are there already.'),
    h(
      'div',
      { class: 'offer-actions' },
      offerButton('New file', 'newFile', onNewFile),
      offerButton('Open a folder', 'folder', onOpenFolder),
      offerButton('Open a sample', 'file', onSamples, { 'aria-haspopup': 'dialog' }),
    ),
  )
}

export interface NoFile {
  readonly element: HTMLElement
  /** `files`: number of files in the workspace. */
  show(files: number): void
}

/** The empty state shown while no file is open. */
export function createNoFile({ onFind, ...offer }: Offer & { readonly onFind: () => void }): NoFile {
  const offers = createOffers(offer)
  const choose = h(
    'div',
    { class: 'empty offers' },
    h('strong', {}, 'Choose a file'),
    h('p', {}, 'Pick one in Files, or find it by its name. Changes that a tool makes to it are lit here, line by line.'),
    h(
      'div',
      { class: 'offer-actions' },
      offerButton('Find a file', 'search', onFind, { title: `Find a file (${FILE_KEYS.shown})`, 'aria-keyshortcuts': FILE_KEYS.aria }),
    ),
  )
  function show(files: number): void {
    offers.hidden = files > 0
    choose.hidden = files === 0
  }
  show(1)
  return { element: h('div', {}, offers, choose), show }
}

function offerButton(label: string, name: IconName, onClick: () => void, about: Readonly<Record<string, string>> = {}): HTMLElement {
  return h('button', { ...about, type: 'button', class: 'button', on: { click: onClick } }, icon(name), label)
}
