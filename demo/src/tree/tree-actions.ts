import { messageOf, type Notice } from '../notice.js'
import type { Session } from '../session.js'

/** What can be done to what the tree shows. Paths are relative to the root. All of them resolve to what went wrong, or to undefined. */
export interface TreeActions {
  create(path: string, kind: 'file' | 'dir'): Promise<string | undefined>
  /** Also to another directory; missing ones are made. Nothing is replaced. */
  move(from: string, to: string): Promise<string | undefined>
  /** With everything below it. */
  remove(path: string): Promise<string | undefined>
  /** Takes back the last move or removal of this workspace. */
  undo(): Promise<string | undefined>
}

export interface TreeActionsOptions {
  readonly current: () => Session
  readonly notice: Notice
  /** Something was moved: what is open of it goes with it. */
  readonly onMoved: (from: string, to: string) => void
  /** The files have changed. */
  readonly lookAgain: () => Promise<void>
}

interface Step {
  readonly session: Session
  /** What was done: `Deleted a.ts`. */
  readonly about: string
  readonly back: () => Promise<void>
}

const MAX_STEPS = 50

export function createTreeActions({ current, notice, onMoved, lookAgain }: TreeActionsOptions): TreeActions {
  let steps: Step[] = []

  /** Does something, and has it shown. */
  async function run(body: (session: Session) => Promise<void>): Promise<string | undefined> {
    try {
      await body(current())
      return undefined
    } catch (error) {
      notice.tell(messageOf(error), 'error')
      return messageOf(error)
    } finally {
      await lookAgain()
    }
  }

  function done(step: Step): void {
    steps = [...steps, step].slice(-MAX_STEPS)
    notice.tell(step.about, 'info', { label: 'Undo', run: () => void undo(step) })
  }

  async function undo(wanted?: Step): Promise<string | undefined> {
    const own = current()
    const step = wanted ?? steps.findLast(({ session }) => session === own)
    if (!step || !steps.includes(step) || step.session !== own) return 'There is nothing to take back'
    steps = steps.filter((one) => one !== step)
    return run(async () => {
      await step.back()
      notice.tell(`Taken back: ${step.about}`)
    })
  }

  const shown = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

  return {
    undo: () => undo(),
    create: (path, kind) =>
      run(async ({ workspace }) => {
        if (kind === 'file') await workspace.writeText(path, '', { mode: 'create' })
        else {
          const { created } = await workspace.mkdir(path, { parents: true })
          if (!created) throw new Error(`EEXIST: there is a directory ${path} already`)
        }
      }),
    move: (from, to) =>
      run(async (session) => {
        const { workspace } = session
        await workspace.move(from, to)
        onMoved(from, to)
        const isRenamed = from.slice(0, from.lastIndexOf('/') + 1) === to.slice(0, to.lastIndexOf('/') + 1)
        done({
          session,
          about: isRenamed ? `Renamed ${shown(from)} to ${shown(to)}` : `Moved ${shown(from)} to ${to}`,
          async back() {
            await workspace.move(to, from)
            onMoved(to, from)
          },
        })
      }),
    remove: (path) =>
      run(async (session) => {
        const { workspace } = session
        // What cannot be had back is not deleted.
        const { id } = await workspace.checkpoint({ label: `Before deleting ${path}`.slice(0, 200), reuse: true })
        await workspace.remove(path, { recursive: true })
        done({ session, about: `Deleted ${shown(path)}`, back: async () => void (await workspace.restore(id, { paths: [path] })) })
      }),
  }
}
