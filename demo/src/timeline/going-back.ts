import type { Checkpoint } from 'toolport'
import { plural } from '../format.js'
import { messageOf, type Notice } from '../notice.js'
import type { Session } from '../session.js'
import { visibleNameText } from '../visible.js'
import { whileWorking } from '../while-working.js'
import { titleOf } from './timeline.js'

export interface GoingBack {
  /** Makes the files what they were at a checkpoint. */
  restore(checkpoint: Checkpoint): Promise<void>
  /** Makes them what they were when the workspace was opened. */
  startOver(): Promise<void>
}

export interface GoingBackOptions {
  readonly current: () => Session
  readonly notice: Notice
  readonly lookAgain: () => Promise<void>
  /** How many texts of the editor are not saved: they stay, whatever becomes of the files. */
  readonly unsaved: () => number
}

/** What a restore gives: the checkpoint that takes it back, and how many changes it made. */
interface Undoable {
  readonly undo: string
  readonly total: number
}

/** Goes back to earlier states of the workspace, each time with a way to undo that. */
export function createGoingBack({ current, notice, lookAgain, unsaved }: GoingBackOptions): GoingBack {
  async function restoreTo({ runtime }: Session, checkpoint: string): Promise<Undoable> {
    return (await runtime.call('restore_checkpoint', { checkpoint })) as unknown as Undoable
  }

  async function goBack(go: (own: Session) => Promise<Undoable>, doing: string, told: string): Promise<void> {
    const own = current()
    // What could be undone until now could not be undone meanwhile.
    notice.called()
    try {
      const { undo, total } = await whileWorking(notice, doing, async () => {
        const back = await go(own)
        await lookAgain()
        return back
      })
      // Another workspace may have been opened meanwhile, whose checkpoints have the same ids.
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
