import { aboutLine } from './about-line.js'
import { createDialogHead } from './dialog-head.js'
import { h, uniqueId } from './dom.js'
import { IS_MAC } from './search/shortcuts.js'

const CTRL = IS_MAC ? '⌘' : 'Ctrl'

/** The keys of a combination. An action may have several combinations. */
type Combination = readonly string[]

const KEYS: readonly { readonly where: string; readonly keys: readonly (readonly [about: string, ...Combination[]])[] }[] = [
  {
    where: 'Anywhere',
    keys: [
      ['Open a file by its name', [CTRL, 'P']],
      ['Search the text of all files', [CTRL, 'Shift', 'F']],
      ['Open and close the terminal', [CTRL, '`']],
      ['Save the file', [CTRL, 'S']],
    ],
  },
  {
    where: 'Editor',
    keys: [
      ['Run the file, where it can be run', [CTRL, 'Enter']],
      ['Find in the file', [CTRL, 'F']],
      ['Leave the text with Tab', ['Escape'], ['Tab']],
    ],
  },
  {
    where: 'Files',
    keys: [
      ['Rename', ['F2']],
      ['Delete', ['Delete']],
      ['Move: cut, then paste in another folder', [CTRL, 'X'], [CTRL, 'V']],
      ['Take the last of these back', [CTRL, 'Z']],
    ],
  },
  {
    where: 'Agent and tools',
    keys: [
      ['Send the message', ['Enter']],
      ['A new line in the message', ['Shift', 'Enter']],
      ['Stop the agent, or deny what it asks', ['Escape']],
      ['Run the tool', [CTRL, 'Enter']],
      ['Preview what the tool would change', [CTRL, 'Shift', 'Enter']],
    ],
  },
  {
    where: 'Terminal',
    keys: [
      ['Complete the word', ['Tab']],
      ['Search the earlier commands', ['Ctrl', 'R']],
      ['Stop the command', ['Ctrl', 'C']],
      ['Run the command in the background: at its end', ['&']],
      ['Leave the terminal with Tab', ['Escape'], ['Tab']],
    ],
  },
]

const STEPS: readonly (readonly [what: string, how: string])[] = [
  [
    'Watch an agent work.',
    '“Play the recorded conversation” needs no key and no network. Its calls run for real, and it asks before it changes a file.',
  ],
  ['Open something to work on.', 'The workspace’s name in the header leads to samples, git repositories, archives and folders.'],
  ['Run its tests.', 'The terminal is a bash that runs in this tab: in the TypeScript sample, type “node test/run.ts”.'],
  ['Change a line, and save it.', 'The tree and the editor mark what has changed. Run the tests again.'],
  ['Take it back.', '“Timeline” has a checkpoint from before every call that may change something, and restores a file or everything.'],
  [
    'Keep it.',
    'A workspace in memory is gone with the tab. In the dialog of the workspace, choose a storage of this browser, or export it.',
  ],
]

/** Opens the help: what the page does, and its keys. `host` contains the open dialog. */
export function openHelp(host: HTMLElement): void {
  const heading = h('h2', { id: uniqueId('help'), tabindex: -1 }, 'Help and keys')
  const dialog = h(
    'dialog',
    // Stops key events, so that the shortcuts shown here do not act on the page behind.
    {
      class: 'dialog help',
      'aria-labelledby': heading.id,
      on: { close: () => dialog.remove(), keydown: (event) => event.stopPropagation() },
    },
    createDialogHead(heading, () => dialog.close()),
    h('div', { class: 'dialog-body', tabindex: 0, role: 'group', 'aria-labelledby': heading.id }, ...guide(), ...KEYS.map(keysOf)),
  )
  host.append(dialog)
  dialog.showModal()
  heading.focus()
}

function guide(): readonly HTMLElement[] {
  const steps = STEPS.map(([what, how]) => h('li', {}, h('strong', {}, what), ` ${how}`))
  return [
    aboutLine('help-about'),
    h('p', { class: 'help-panes' }, 'Files, text, agent, tools and terminal are the five panes at the bottom of the screen.'),
    h(
      'section',
      { class: 'dialog-part' },
      h('h3', {}, 'The first five minutes'),
      h('ol', { class: 'help-steps' }, ...steps),
      h('p', { class: 'dialog-note' }, 'With pictures: ', h('code', {}, 'docs/first-five-minutes.md'), ' in Toolport’s repository.'),
    ),
  ]
}

function keysOf({ where, keys }: (typeof KEYS)[number]): HTMLElement {
  const rows = keys.flatMap(([about, ...combinations]) => [h('dt', {}, ...shown(combinations)), h('dd', {}, about)])
  return h('section', { class: 'dialog-part' }, h('h3', {}, `Keys: ${where}`), h('dl', { class: 'help-keys' }, ...rows))
}

/** Renders the key combinations of an action. */
function shown(combinations: readonly Combination[]): (HTMLElement | string)[] {
  return combinations.flatMap((keys, at) => [at > 0 ? ', then ' : '', ...keys.flatMap((key, i) => [i > 0 ? ' ' : '', h('kbd', {}, key)])])
}
