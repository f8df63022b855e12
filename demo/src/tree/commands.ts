import type { FileKind } from 'toolport'
import type { Naming } from './name-field.js'
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
  /** Something is at this path now, where the focus goes. */
  readonly onDone: (path: string) => void
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

/** `name` may lead elsewhere: `../a`, `lib/a`. Undefined: out of the workspace. */
export function joined(directory: string, name: string): string | undefined {
  const parts: string[] = []
  for (const part of `${name.startsWith('/') ? '' : directory}/${name}`.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/') || undefined
}

export function createCommands({ actions, ask, onDone, onOpen }: CommandOptions): Commands {
  async function to(path: string | undefined, body: (path: string) => Promise<string | undefined>): Promise<string | undefined> {
    if (path === undefined) return 'That is outside of the workspace'
    const problem = await body(path)
    if (problem === undefined) onDone(path)
    return problem
  }

  return {
    create(target, kind) {
      const directory = directoryOf(target)
      ask({
        path: directory === '' ? NEW : `${directory}/${NEW}`,
        label: kind === 'file' ? 'Name of the new file' : 'Name of the new folder',
        value: '',
        chosen: 0,
        onName: (name) =>
          to(joined(directory, name), async (path) => {
            const problem = await actions.create(path, kind)
            if (problem === undefined && kind === 'file') onOpen(path)
            return problem
          }),
      })
    },
    rename({ path }) {
      const name = nameOf(path)
      const dot = name.lastIndexOf('.')
      ask({
        path,
        label: `New name of ${name}`,
        value: name,
        chosen: dot > 0 ? dot : name.length,
        onName: (next) => to(joined(parentOf(path), next), (where) => actions.move(path, where)),
      })
    },
    relocate({ path }) {
      ask({
        path,
        label: `New path of ${nameOf(path)}`,
        value: path,
        chosen: parentOf(path).length,
        onName: (next) => to(joined('', next), (where) => actions.move(path, where)),
      })
    },
    async moveInto(from, directory) {
      await to(joined(directory, nameOf(from)), (where) => actions.move(from, where))
    },
    async remove({ path }) {
      if (path !== '') await actions.remove(path)
    },
    async undo() {
      await actions.undo()
    },
  }
}
