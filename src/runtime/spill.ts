import { hasCode } from '../errors/index.js'
import type { Workspace } from '../types/workspace.js'

/** Relative to the root; walks leave it out. */
const FOLDER = '.toolport/outputs'
const MOST_ATTEMPTS = 16
/** From here on names are guessed: a workspace may hold the outputs of many runs, whose ids all begin at the same number. */
const COUNTED_ATTEMPTS = 8

/** Writes an output that was cut to a new file of its own and returns its virtual path. @throws what the workspace throws */
export async function spillOutput(workspace: Workspace, callId: string, text: string): Promise<string> {
  const root = workspace.root === '/' ? '' : workspace.root
  const base = `${root}/${FOLDER}/${fileName(callId)}`
  // As bytes: half a surrogate pair, which text refuses, becomes U+FFFD.
  const bytes = new TextEncoder().encode(text)
  for (let attempt = 1; ; attempt++) {
    try {
      const { path } = await workspace.writeBytes(`${base}${suffix(workspace, attempt)}.txt`, bytes, { mode: 'create' })
      return path
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !hasCode(error, 'EEXIST')) throw error
    }
  }
}

/** Two ids may make the same name, and an id may come twice: an output that a model was told of stays as it was. */
function suffix({ host }: Workspace, attempt: number): string {
  if (attempt === 1) return ''
  return `_${attempt <= COUNTED_ATTEMPTS ? attempt : Math.floor(host.random() * 1e9)}`
}

/** Ids come from outside: nothing in them may act as a path. */
function fileName(callId: string): string {
  return callId.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 80)
}
