import type { FsAdapter } from 'toolport'
import { onTestFinished } from 'vitest'
import { choiceOf, type Home, type HomeKind } from '../../demo/src/homes/homes.js'
import { forgetHome } from '../../demo/src/homes/known-homes.js'
import { deleteHome } from '../../demo/src/homes/unfinished.js'
import { createSession, type Files, type Session } from '../../demo/src/session.js'

export const newHome = (kind: HomeKind): Home => ({ kind, name: `test-${crypto.randomUUID()}` })

export function forgetAfterwards(home: Home): void {
  onTestFinished(async () => {
    if (choiceOf(home.kind).kept) await deleteHome(home)
    forgetHome(home)
  })
}

export function sessionOn(files: Files, fs?: FsAdapter): Session {
  const session = createSession('copied', { files, ...(fs && { fs }) })
  onTestFinished(() => session.close())
  return session
}
