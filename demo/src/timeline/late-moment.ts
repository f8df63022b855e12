import type { Checkpoint } from 'toolport'
import { messageOf } from '../notice.js'
import type { Session } from '../session.js'
import type { Loading } from '../while-working.js'
import type { MomentPane, MomentPaneOptions } from './moment-pane.js'

export interface LateMoment {
  /** Shows the changes since a checkpoint in place of the open file. */
  open(checkpoint: Checkpoint): Promise<void>
  /** Refreshes the comparison if it is visible. */
  refresh(): Promise<void>
  /** Closes the comparison and shows the file again. */
  close(): void
}

export interface LateMomentOptions extends Omit<MomentPaneOptions, 'onClose'> {
  readonly current: () => Session
  readonly loading: Loading
  /** The element that the comparison replaces. */
  readonly view: HTMLElement
  /** Marks the shown checkpoint in the list. */
  readonly mark: (id: string | undefined) => void
  readonly onProblem: (text: string) => void
}

/** The comparison with a checkpoint, loaded on first use. */
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
