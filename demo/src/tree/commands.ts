import type { FileKind } from 'toolport'
import { visibleNameText } from '../visible.js'
import type { Naming } from './name-field.js'
import { failureOf, outside, refusalOf, unusable } from './refusals.js'
import type { TreeActions } from './tree-actions.js'

/** Placeholder path of a new entry. No real entry can have this name. */
export const NEW = '\0new'

/** The entry that a command acts on, or next to. */
export interface Target {
  /** Relative to the root; `''` is the root itself. */
  readonly path: string
  readonly kind: FileKind
}

export interface CommandOptions {
  readonly actions: TreeActions
  /** Asks for a name. */
  readonly ask: (naming: Naming) => void
  /** Called when an action starts. Call the returned function with the resulting path. */
  readonly going: () => (path: string) => void
  /** Opens a new file. */
  readonly onOpen: (path: string) => void
}

export interface Commands {
  create(target: Target, kind: 'file' | 'dir'): void
  rename(target: Target): void
  /** Asks for the destination and moves the entry. */
  relocate(target: Target): void
  moveInto(from: string, directory: string): Promise<void>
  remove(target: Target): Promise<void>
  undo(): Promise<void>
}

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
/** The directory for new entries. */
export const directoryOf = ({ path, kind }: Target): string => (kind === 'dir' ? path : parentOf(path))

/** Resolves `name`, which may lead elsewhere: `../a`, `lib/a`. Undefined: outside the workspace. Empty: its root. */
export function joined(directory: string, name: string): string | undefined {
  const parts: string[] = []
  for (const part of `${name.startsWith('/') ? '' : directory}/${name}`.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

export function createCommands({ actions, ask, going, onOpen }: CommandOptions): Commands {
  /** Performs an action on `name`, relative to `directory`. */
  async function put(directory: string, name: string, body: (path: string) => Promise<void>): Promise<void> {
    const goTo = going()
    const path = joined(directory, name)
    if (path === undefined) throw outside(name)
    if (path === '' || name.split('/').at(-1) === '.') throw unusable(name)
    await body(path)
    goTo(path)
  }

  /** Does nothing if source and destination are the same. */
  const move = async (from: string, to: string): Promise<void> => {
    if (from !== to) await actions.move(from, to)
  }

  /** Like `put`, but asks for the name, and asks again if the name is rejected. */
  function askFor(naming: Omit<Naming, 'onName' | 'tell'>, directory: string, body: (path: string) => Promise<void>): void {
    const onName = (name: string): Promise<string | undefined> =>
      put(directory, name, body).then(
        () => undefined,
        (error: unknown) => refusalOf(error, name),
      )
    ask({ ...naming, onName, tell: actions.tell })
  }

  return {
    create(target, kind) {
      const directory = directoryOf(target)
      const naming = {
        path: directory === '' ? NEW : `${directory}/${NEW}`,
        label: kind === 'file' ? 'Name of the new file' : 'Name of the new folder',
        value: '',
        chosen: 0,
      }
      askFor(naming, directory, async (path) => {
        await actions.create(path, kind)
        if (kind === 'file') onOpen(path)
      })
    },
    rename({ path }) {
      const name = nameOf(path)
      const dot = name.lastIndexOf('.')
      const naming = { path, label: `New name of ${visibleNameText(name)}`, value: name, chosen: dot > 0 ? dot : name.length }
      askFor(naming, parentOf(path), (to) => move(path, to))
    },
    relocate({ path }) {
      const naming = { path, label: `New path of ${visibleNameText(nameOf(path))}`, value: path, chosen: parentOf(path).length }
      askFor(naming, '', (to) => move(path, to))
    },
    async moveInto(from, directory) {
      const name = nameOf(from)
      try {
        await put(directory, name, (to) => move(from, to))
      } catch (error) {
        actions.tell(failureOf(`“${name}” was not moved`, error, directory === '' ? name : `${directory}/${name}`))
      }
    },
    async remove({ path }) {
      if (path !== '') await actions.remove(path)
    },
    async undo() {
      const goTo = going()
      const path = await actions.undo()
      if (path !== undefined) goTo(path)
    },
  }
}
