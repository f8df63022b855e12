import { FsError } from 'toolport'
import type { Notice } from '../notice.js'
import type { Session } from '../session.js'
import { visibleNameText } from '../visible.js'
import { whileWorking } from '../while-working.js'
import { failureOf } from './refusals.js'

/** File operations of the tree. Paths are relative to the root. */
export interface TreeActions {
  /** Rejects with the cause of a failure. */
  create(path: string, kind: 'file' | 'dir'): Promise<void>
  /** Moves or renames an entry and creates missing directories. Never overwrites. Rejects with the cause of a failure. */
  move(from: string, to: string): Promise<void>
  /** Deletes an entry with everything below it. Reports failures itself. */
  remove(path: string): Promise<void>
  /** Undoes the last move or deletion in this workspace and returns the restored path. Reports failures itself. */
  undo(): Promise<string | undefined>
  /** Reports a problem that no field can show. */
  tell(problem: string): void
}

export interface TreeActionsOptions {
  readonly current: () => Session
  readonly notice: Notice
  /** Called after a move, so that open files follow. */
  readonly onMoved: (from: string, to: string) => void
  readonly lookAgain: () => Promise<void>
}

interface Step {
  readonly session: Session
  /** The action to undo: `Deleted a.ts`. */
  readonly about: string
  /** The path restored by the undo. */
  readonly path: string
  readonly back: () => Promise<void>
}

const MAX_STEPS = 50

export function createTreeActions({ current, notice, onMoved, lookAgain }: TreeActionsOptions): TreeActions {
  let steps: Step[] = []

  /** Runs an operation and refreshes the page afterwards. */
  function run<T>(doing: string, body: (session: Session) => Promise<T>): Promise<T> {
    return whileWorking(notice, doing, async () => {
      try {
        return await body(current())
      } finally {
        await lookAgain()
      }
    })
  }

  const tell = (problem: string): void => notice.tell(problem, 'error')

  function noted(step: Step): Step {
    steps = [...steps, step].slice(-MAX_STEPS)
    return step
  }

  const tellDone = (step: Step): void => notice.tell(step.about, 'info', { label: 'Undo', run: () => void undo(step) })

  async function undo(wanted?: Step): Promise<string | undefined> {
    const own = current()
    const step = wanted ?? steps.findLast(({ session }) => session === own)
    if (!step || !steps.includes(step) || step.session !== own) return undefined
    steps = steps.filter((one) => one !== step)
    try {
      await run(`Taking back: ${step.about}`, step.back)
      notice.tell(`Taken back: ${step.about}`)
      return step.path
    } catch (error) {
      tell(failureOf(`Not taken back: ${step.about}`, error, step.path))
      return undefined
    }
  }

  async function removeFrom(session: Session, path: string): Promise<Step> {
    const { workspace } = session
    // Deletes nothing without a checkpoint to restore it from.
    const { id } = await workspace.checkpoint({ label: `Before deleting ${path}`.slice(0, 200), reuse: true })
    await workspace.remove(path, { recursive: true })
    const back = async (): Promise<void> => void (await workspace.restore(id, { paths: [path] }))
    return noted({ session, path, about: `Deleted ${shown(path)}`, back })
  }

  async function moveIn(session: Session, from: string, to: string, isRenamed: boolean): Promise<Step> {
    const { workspace } = session
    await workspace.move(from, to)
    onMoved(from, to)
    return noted({
      session,
      path: from,
      about: isRenamed ? `Renamed ${shown(from)} to ${shown(to)}` : `Moved ${shown(from)} to ${visibleNameText(to)}`,
      async back() {
        await workspace.move(to, from)
        onMoved(to, from)
      },
    })
  }

  const shown = (path: string): string => visibleNameText(path.slice(path.lastIndexOf('/') + 1))

  return {
    tell,
    undo: () => undo(),
    create: (path, kind) =>
      run(`Making “${shown(path)}”`, async ({ workspace }) => {
        if (kind === 'file') await workspace.writeText(path, '', { mode: 'create' })
        else {
          const { created } = await workspace.mkdir(path, { parents: true })
          if (!created) throw new FsError({ code: 'EEXIST', op: 'create', path })
        }
      }),
    async move(from, to) {
      const isRenamed = from.slice(0, from.lastIndexOf('/') + 1) === to.slice(0, to.lastIndexOf('/') + 1)
      const doing = `${isRenamed ? 'Renaming' : 'Moving'} “${shown(from)}”`
      tellDone(await run(doing, (session) => moveIn(session, from, to, isRenamed)))
    },
    async remove(path) {
      try {
        tellDone(await run(`Deleting “${shown(path)}”`, (session) => removeFrom(session, path)))
      } catch (error) {
        tell(failureOf(`“${shown(path)}” was not deleted`, error, path))
      }
    },
  }
}
