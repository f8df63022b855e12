import { type Answer, ask } from '../editor/ask.js'
import { plural } from '../format.js'
import type { Session } from '../session.js'
import { choiceOf } from './homes.js'

/** What the user would lose. */
export interface Loss {
  /** Number of changed files in a workspace that is not stored. Undefined: none. 0: an unknown number. */
  readonly changed: number | undefined
  readonly unsaved: number
  readonly isRunning: boolean
}

/** Asks the user to confirm losing changes. */
export async function askToLeave(host: HTMLElement, { name, home }: Session, { changed, unsaved, isRunning }: Loss): Promise<boolean> {
  // The changes of a copy may all have been made before copying, so their number is unknown.
  const changes = changed === undefined ? undefined : changed > 0 ? plural(changed, 'changed file') : 'its changes'
  const texts = unsaved > 0 ? `${plural(unsaved, 'text')} that ${unsaved === 1 ? 'is' : 'are'} not saved` : undefined
  const lost = [changes, texts].filter((one) => one !== undefined).join(' and ')
  const stopped = isRunning ? ' What is running in it is stopped.' : ''
  const answer = lost
    ? await ask(
        host,
        `Leave “${name}” and lose its changes?`,
        `It is ${choiceOf(home.kind).place} only: ${lost} will be gone when another workspace is opened. “Where this workspace lives” in the Workspace dialog keeps it, and an export saves its files.${stopped}`,
        answers('Leave and lose them'),
      )
    : await ask(
        host,
        `Stop what is running in “${name}”?`,
        'A call, a command or the agent is still at work here. It ends when this workspace is left; what it has changed so far stays.',
        answers('Stop it and go on'),
      )
  return answer === 'leave'
}

const answers = (leave: string): readonly Answer[] => [
  { label: 'Stay here', value: '', primary: true },
  { label: leave, value: 'leave' },
]
