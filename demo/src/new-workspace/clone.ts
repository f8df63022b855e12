import { createFetch } from 'toolport/adapters/fetch'
import { createGit, type GitCloned } from 'toolport/adapters/git'
import { giveBuffer } from '../give-buffer.js'
import type { Workspace } from '../session.js'
import { cloneFailure, MAX_ANSWER } from './clone-failures.js'
import type { CloneWish } from './clone-wish.js'
import type { CloneStep } from './progress.js'

/** Very long, because large repositories take time and the user can cancel. */
const TIMEOUT_MS = 3_600_000

const STEPS: Readonly<Record<string, CloneStep['phase']>> = { 'Receiving objects': 'reading', 'Resolving deltas': 'joining' }

export interface Cloning {
  readonly signal: AbortSignal
  readonly onStep: (step: CloneStep) => void
}

/** Clones into an empty workspace. @throws {Error} with a message for the user, or the signal's reason */
export async function cloneInto(workspace: Workspace, wish: CloneWish, { signal, onStep }: Cloning): Promise<GitCloned> {
  const { url, ref, depth, proxy } = wish
  let reached = true
  await giveBuffer()
  const asked: typeof fetch = async (input, init) => {
    const response = await fetch(input, init).catch((error: unknown) => {
      reached = false
      throw error
    })
    return init?.method === 'POST' ? counted(response, (done) => onStep({ phase: 'receiving', done })) : response
  }
  const git = createGit({
    workspace,
    // A page has no filter programs, so files stay unfiltered, as in a git without those programs.
    filters: 'ignore',
    fetch: createFetch({ origins: [new URL(proxy ?? url).origin], maxBytes: MAX_ANSWER, timeoutMs: TIMEOUT_MS, fetch: asked }),
    maxBytes: MAX_ANSWER,
    ...(proxy !== undefined && { corsProxy: proxy }),
  })
  onStep({ phase: 'asking', done: 0 })
  try {
    return await git.clone({
      url,
      signal,
      ...(ref !== undefined && { ref }),
      ...(depth !== undefined && { depth }),
      // The library awaits this callback, so the page can redraw and handle Cancel. The library does not wait for messages from the server.
      onProgress: async ({ phase, loaded, total }) => {
        const step = STEPS[phase]
        if (!step) return
        onStep({ phase: step, done: loaded, total })
        await new Promise<void>((resolve) => setTimeout(resolve))
        signal.throwIfAborted()
      },
    })
  } catch (error) {
    signal.throwIfAborted()
    throw cloneFailure(error, wish, reached)
  }
}

/** Wraps a response and reports its progress. */
function counted(response: Response, onBytes: (done: number) => void): Response {
  const { body, status, statusText, headers } = response
  if (!body) return response
  let done = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      done += piece.length
      onBytes(done)
      controller.enqueue(piece)
    },
  })
  return new Response(body.pipeThrough(count), { status, statusText, headers })
}
