import type { ToolContext } from '../../../types/tool.js'
import { timeLeft } from '../time-left.js'

/** How long a program has to take what is written to it; one that reads nothing would hold the call up to its deadline. */
const TAKE_MS = 5000

/** The bytes; undefined where they were not taken in time. @throws what the writing throws */
export async function takenInTime(writing: Promise<number>, context: ToolContext): Promise<number | undefined> {
  const over = new AbortController()
  const late = context.host.sleep(Math.min(TAKE_MS, timeLeft(context)), over.signal).then(() => undefined)
  try {
    return await Promise.race([writing, late])
  } finally {
    over.abort()
  }
}
