import { ask } from '../editor/ask.js'
import { plural } from '../format.js'
import type { Session } from '../session.js'
import { choiceOf } from './homes.js'

/** Asks whether the changes of a workspace that is not kept may be lost. */
export async function askToLeave(host: HTMLElement, { name, home }: Session, changed: number): Promise<boolean> {
  // A copy may have brought all its changes along.
  const what = changed > 0 ? plural(changed, 'changed file') : 'its changes'
  const answer = await ask(
    host,
    `Leave “${name}” and lose its changes?`,
    `It is ${choiceOf(home.kind).place} only: ${what} will be gone when another workspace is opened. “Where this workspace lives” in the Workspace dialog keeps it, and an export saves it.`,
    [
      { label: 'Stay here', value: '', primary: true },
      { label: 'Leave and lose them', value: 'leave' },
    ],
  )
  return answer === 'leave'
}
