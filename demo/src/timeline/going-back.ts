import type { Checkpoint } from 'toolport'
import { plural } from '../format.js'
import { messageOf, type Notice } from '../notice.js'
import type { Session } from '../session.js'
import { visibleNameText } from '../visible.js'
import { whileWorking } from '../while-working.js'
import { titleOf } from './timeline.js'

export interface GoingBack {
  /** Restores the files of a checkpoint. */
  restore(checkpoint: Checkpoint): Promise<void>
  /** Restores the files from when the workspace was opened. */
  startOver(): Promise<void>
}

export interface GoingBackOptions {
  readonly current: () => Session
  readonly notice: Notice
  readonly lookAgain: () => Promise<void>
  /** Number of unsaved files in the editor. Restoring does not change their text. */
  readonly unsaved: () => number
}

/** Result of a restore: the checkpoint that undoes it, and the number of changes. */
interface Undoable {
  readonly undo: string
  readonly total: number
}

/** Restores earlier states of the workspace and offers to undo that. */
export function createGoingBack({ current, notice, lookAgain, unsaved }: GoingBackOptions): GoingBack {
  async function restoreTo({ runtime }: Session, checkpoint: string): Promise<Undoable> {
    return (await runtime.call('restore_checkpoint', { checkpoint })) as unknown as Undoable
  }

  async function goBack(go: (own: Session) => Promise<Undoable>, doing: string, told: string): Promise<void> {
    const own = current()
    // Removes the previous Undo action while this restore runs.
    notice.called()
    try {
      const { undo, total } = await whileWorking(notice, doing, async () => {
        const back = await go(own)
        await lookAgain()
        return back
      })
      // The user may have opened another workspace meanwhile, which has checkpoints with the same ids.
      if (current() !== own) return
      const run = (): void => {
        if (current() === own) void goBack(() => restoreTo(own, undo), 'Undoing', 'Undone.')
      }
      notice.tell(`${told}${aboutTexts(unsaved())}`, 'info', total > 0 ? { label: 'Undo', passing: true, run } : undefined)
    } catch (error) {
      if (current() === own) notice.tell(messageOf(error), 'error')
    }
  }

  return {
    restore(checkpoint) {
      const title = `“${visibleNameText(titleOf(checkpoint))}”`
      return goBack((own) => restoreTo(own, checkpoint.id), `Going back to ${title}`, `The files are as they were at ${title}.`)
    },
    async startOver() {
      const go = async (own: Session): Promise<Undoable> => {
        const { checkpoint, changes } = await own.startOver()
        return { undo: checkpoint.id, total: changes.length }
      }
      await goBack(go, 'Starting over', 'The files are as they were loaded.')
    },
  }
}

function aboutTexts(count: number): string {
  return count === 0 ? '' : ` The editor still has ${plural(count, 'text')} that ${count === 1 ? 'is' : 'are'} not saved.`
}
