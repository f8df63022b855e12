import type { FileKind } from 'toolport'
import { visibleNameText } from '../visible.js'
import type { Naming } from './name-field.js'
import { failureOf, outside, refusalOf, unusable } from './refusals.js'
import type { TreeActions } from './tree-actions.js'

/** The row that stands for what is being made. No entry has such a name. */
export const NEW = '\0new'

/** What is done to, or beside, one entry. */
export interface Target {
  /** Relative to the root; `''`: the root itself. */
  readonly path: string
  readonly kind: FileKind
}

export interface CommandOptions {
  readonly actions: TreeActions
  /** Asks for a name. */
  readonly ask: (naming: Naming) => void
  /** Something is begun: what this gives is called with the path at which something is then. */
  readonly going: () => (path: string) => void
  /** A new file is to be written. */
  readonly onOpen: (path: string) => void
}

export interface Commands {
  create(target: Target, kind: 'file' | 'dir'): void
  rename(target: Target): void
  /** Asks where to. */
  relocate(target: Target): void
  moveInto(from: string, directory: string): Promise<void>
  remove(target: Target): Promise<void>
  undo(): Promise<void>
}

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
/** The directory that new things are put into. */
export const directoryOf = ({ path, kind }: Target): string => (kind === 'dir' ? path : parentOf(path))

/** `name` may lead elsewhere: `../a`, `lib/a`. Undefined: out of the workspace; empty: to its root. */
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
  /** Puts something at `name`, seen from the directory. */
  async function put(directory: string, name: string, body: (path: string) => Promise<void>): Promise<void> {
    const goTo = going()
    const path = joined(directory, name)
    if (path === undefined) throw outside(name)
    if (path === '' || name.split('/').at(-1) === '.') throw unusable(name)
    await body(path)
    goTo(path)
  }

  /** To where it is: nothing is to be done. */
  const move = async (from: string, to: string): Promise<void> => {
    if (from !== to) await actions.move(from, to)
  }

  /** The same with a name that is asked for, and asked for again where it is refused. */
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
