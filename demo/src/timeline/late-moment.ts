import type { Checkpoint } from 'toolport'
import { messageOf } from '../notice.js'
import type { Session } from '../session.js'
import type { Loading } from '../while-working.js'
import type { MomentPane, MomentPaneOptions } from './moment-pane.js'

export interface LateMoment {
  /** Shows what has changed since a checkpoint, in the place of the open file. */
  open(checkpoint: Checkpoint): Promise<void>
  /** Looks again, where it is shown. */
  refresh(): Promise<void>
  /** Shows the file again. */
  close(): void
}

export interface LateMomentOptions extends Omit<MomentPaneOptions, 'onClose'> {
  readonly current: () => Session
  readonly loading: Loading
  /** What it takes the place of. */
  readonly view: HTMLElement
  /** Says in the list which checkpoint is shown. */
  readonly mark: (id: string | undefined) => void
  readonly onProblem: (text: string) => void
}

/** The comparison with a checkpoint, which is loaded with the first one. */
export function createLateMoment({ current, loading, view, mark, onProblem, ...options }: LateMomentOptions): LateMoment {
  let pane: MomentPane | undefined
  let wanted: Checkpoint | undefined

  async function load(): Promise<MomentPane> {
    const { createMomentPane } = await loading('the comparison', () => import('./moment-pane.js'))
    pane ??= createMomentPane({
      ...options,
      onClose: () => {
        view.hidden = false
        mark(undefined)
      },
    })
    if (!pane.element.isConnected) view.after(pane.element)
    return pane
  }

  return {
    async open(checkpoint) {
      wanted = checkpoint
      mark(checkpoint.id)
      try {
        const loaded = await load()
        if (wanted !== checkpoint) return
        view.hidden = true
        await loaded.open(current(), checkpoint)
      } catch (error) {
        if (wanted !== checkpoint) return
        view.hidden = false
        mark(undefined)
        onProblem(`The comparison could not be loaded: ${messageOf(error)}`)
      }
    },
    refresh: async () => pane?.refresh(),
    close() {
      wanted = undefined
      pane?.close()
    },
  }
}
