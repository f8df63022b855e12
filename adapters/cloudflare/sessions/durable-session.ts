import type { Session, SessionInfo, SessionReadOptions, SessionStream, SessionText } from '../../../src/types/session.js'
import type { ShellExit } from '../../../src/types/shell.js'
import { factsOf, type SessionRecord, STREAMS, standingOf } from './record.js'
import type { SessionStore } from './store.js'
import { createStoredSession } from './stored-session.js'

/** The session of a process of this runtime. After the end of the process has been recorded, the session is read from the record. */
export class DurableSession implements Session {
  readonly id: string
  readonly exited: Promise<ShellExit>
  readonly #store: SessionStore
  /** Called when the session must be saved: `onMoved` at once, `onTouched` soon. */
  readonly #onMoved: (session: DurableSession) => void
  readonly #onTouched: (session: DurableSession) => void
  /** The session of the running process, kept until the end of the process is recorded. */
  #live: Session | undefined
  #now: Session
  #cursors: Record<SessionStream, number> = { stdout: 0, stderr: 0 }
  #newFacts = true
  #endedMs: number | null = null

  constructor(session: Session, store: SessionStore, on: { moved(session: DurableSession): void; touched(session: DurableSession): void }) {
    this.id = session.id
    this.exited = session.exited
    this.#store = store
    this.#onMoved = on.moved
    this.#onTouched = on.touched
    this.#live = session
    this.#now = session
    session.onOutput(() => this.#onTouched(this))
    this.#onTouched(this)
  }

  get info(): SessionInfo {
    return this.#now.info
  }

  get endedMs(): number | null {
    return this.#endedMs
  }

  /** Sets the time at which the session ended. */
  end(): void {
    this.#endedMs = this.info.updatedMs
  }

  /** Records the current state and output. @throws {FsError} */
  save(): void {
    const live = this.#live
    if (!live) return
    const { info } = live
    const record = this.#store.save({
      ...this.#stateOf(info),
      facts: factsOf(info),
      cursors: this.#cursors,
      newFacts: this.#newFacts,
      read: (stream, from) => {
        const { text, cursor } = live.read({ stream, from: { [stream]: from }, maxChars: Infinity })[stream]
        return { text, end: cursor }
      },
      startOf: (stream) => live.read({ stream, from: { [stream]: 0 }, maxChars: 0 })[stream].cursor,
    })
    this.#newFacts = false
    if (record.endedMs !== null) this.#leave(record)
  }

  /** Records only how the session ended. Use this if the storage has no room for the output. @throws {FsError} */
  saveState(): void {
    if (this.#live) this.#store.saveState(this.#stateOf(this.#live.info))
  }

  read(options: SessionReadOptions = {}): Readonly<Record<SessionStream, SessionText>> {
    const texts = this.#now.read(options)
    if (this.#live && !options.peek && options.from === undefined) this.#moveTo(texts)
    return texts
  }

  wait(ms: number, options?: Parameters<Session['wait']>[1]): Promise<void> {
    return this.#now.wait(ms, options)
  }

  async write(text: string): Promise<number> {
    const bytes = await this.#now.write(text)
    this.#onTouched(this)
    return bytes
  }

  async press(key: string, options?: Parameters<Session['press']>[1]): Promise<number> {
    const bytes = await this.#now.press(key, options)
    this.#onTouched(this)
    return bytes
  }

  async resize(size: Parameters<Session['resize']>[0]): Promise<void> {
    await this.#now.resize(size)
    this.#onTouched(this)
  }

  stop(options?: Parameters<Session['stop']>[0]): ReturnType<Session['stop']> {
    return this.#now.stop(options)
  }

  kill(signal: Parameters<Session['kill']>[0]): Promise<void> {
    return this.#now.kill(signal)
  }

  onOutput(listener: Parameters<Session['onOutput']>[0]): () => void {
    return this.#now.onOutput(listener)
  }

  /** Saves the output together with the new cursor, so that a recorded cursor never lies beyond the recorded output. */
  #moveTo(texts: Readonly<Record<SessionStream, SessionText>>): void {
    if (STREAMS.every((stream) => texts[stream].cursor === this.#cursors[stream])) return
    this.#cursors = { stdout: texts.stdout.cursor, stderr: texts.stderr.cursor }
    this.#onMoved(this)
  }

  #stateOf(info: SessionInfo): Pick<SessionRecord, 'id' | 'state' | 'endedMs' | 'standing'> {
    return { id: this.id, state: info.state, endedMs: this.#endedMs, standing: standingOf(info) }
  }

  /** Replaces an ended session by its record, which frees the session's output buffers. */
  #leave(record: SessionRecord): void {
    this.#live = undefined
    this.#now = createStoredSession(record, this.#store)
  }
}
