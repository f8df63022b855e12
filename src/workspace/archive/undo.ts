import { FsError, InputError, PolicyError, WorkspaceError } from '../../errors/index.js'
import type { FsStat } from '../../types/fs.js'
import type { Workspace } from '../../types/workspace.js'
import { replaceEntry } from '../replacing.js'
import { Slicer } from '../slicer.js'

/** Maximum bytes of old content to keep for undoing. */
const HELD_BYTES = 64 * 1024 * 1024
/** Estimated cost of undoing one step, in microseconds. */
const STEPS = 16

/** Undoes one change. */
type Step = () => Promise<unknown>

/** Collects the undo steps of an import. */
export class Undo {
  readonly #workspace: Workspace
  readonly #steps: Step[] = []
  #held = 0
  /** Number of replaced files that cannot be restored, because the old contents together exceed `HELD_BYTES`. */
  #lost = 0

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /** Records a new entry. Undoing removes it. */
  made(path: string): void {
    this.#steps.push(() => this.#workspace.remove(path))
  }

  /** Call before replacing a file or a link. Pass the returned step to `replaced` afterwards. */
  async before(path: string, stat: FsStat): Promise<Step | undefined> {
    if (stat.kind === 'symlink') {
      const target = await this.#workspace.readlink(path)
      return () => replaceEntry(this.#workspace, path, { target })
    }
    if (this.#held + stat.size > HELD_BYTES) return undefined
    // Count the bytes before the read, because several files are read concurrently.
    this.#held += stat.size
    const { bytes } = await this.#workspace.readBytes(path)
    return async () => {
      await replaceEntry(this.#workspace, path, { content: bytes })
      if (stat.mode !== undefined && this.#workspace.fs.setMeta) await this.#workspace.setMeta(path, { mode: stat.mode })
    }
  }

  replaced(step: Step | undefined): void {
    if (step) this.#steps.push(step)
    else this.#lost++
  }

  /** Undoes everything as far as possible. Returns the error to throw: the same error with the state of the import. */
  async run(error: unknown): Promise<unknown> {
    const done = this.#steps.length
    if (done === 0 && this.#lost === 0) return error
    const slicer = new Slicer(this.#workspace.host)
    let failed = 0
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      // Ignore errors of undo steps, because `run` reports the error of the import.
      await step().catch(() => failed++)
      if (slicer.due(STEPS)) await slicer.pause()
    }
    const left = failed + this.#lost
    return withNote(
      error,
      left === 0
        ? `nothing was imported (${changes(done)} undone)`
        : `the import is incomplete: ${left} of ${changes(done + this.#lost)} could not be undone`,
    )
  }
}

const changes = (count: number): string => `${count} ${count === 1 ? 'change' : 'changes'}`

/** Other errors (the signal's reason, errors of the source) stay unchanged, because they belong to the caller. */
function withNote(error: unknown, note: string): unknown {
  if (FsError.is(error)) {
    const { code, op, path, dest, detail } = error
    const said = detail ?? error.message.slice(error.message.lastIndexOf('": ') + 3)
    return new FsError({ code, op, path, ...(dest !== undefined && { dest }), detail: `${said}; ${note}`, cause: error })
  }
  if (error instanceof InputError) {
    return new InputError(error.code, `${error.message}; ${note}`, { issues: error.issues, details: error.details })
  }
  if (error instanceof WorkspaceError) return new WorkspaceError(error.code, error.path, `${error.message}; ${note}`, error.detected)
  if (error instanceof PolicyError) return new PolicyError(error.code, `${error.message}; ${note}`, error.rule, error.reason)
  return error
}
