import { systemHost } from '../../../host.js'
import type { Host } from '../../../types/host.js'
import type { JsonValue } from '../../../types/tool.js'
import { createRandom } from '../test-host.js'
import { TapeClock } from './clock.js'
import { CassetteError, firstDifference, json } from './difference.js'
import { differenceOf, editedError, exhausted, inPieces, stalled, unfinished, unused, withEdited } from './errors.js'
import type { CassetteText, Entry, EntryKind, Header, RecordedEvent, RecordedFiles } from './format.js'
import { Cleaner } from './redact.js'
import { LEAST_SECRET } from './secrets.js'
import { failureOf, revive, thrown } from './values.js'

export type TapeMode = 'record' | 'replay' | 'update'

/** An entry that has begun but not ended. */
export interface Playing {
  readonly entry: Entry
  /** Whether the operation runs for real. If not, its answer comes from the cassette. */
  readonly isLive: boolean
}

interface Recorded {
  readonly entry: Entry
  readonly line: number
  /** Whether the line does not match its checksum. */
  readonly isEdited: boolean
  used: boolean
}

const SEED = 1
/**
 * How long a replay waits, in milliseconds of real time, for a sleep that ended at this point of the recording. The recorded duration of a
 * running call comes on top, because the call may do real work before it sleeps.
 */
const STALL_MS = 10_000
/** Kinds whose order may differ from the recording: parallel requests start in another order if answers arrive in another order. */
const ANY_ORDER: ReadonlySet<EntryKind> = new Set(['fetch'])

/** Fields of an entry that may contain secrets. */
const CONTENT = ['asked', 'answered', 'failed', 'changed', 'events'] as const

/** The entries of a cassette during a recording or a replay. */
export class Tape {
  readonly mode: TapeMode
  readonly header: Header
  readonly clock: TapeClock
  /** The entries that `close` writes. */
  readonly entries: Entry[] = []
  readonly #recorded: readonly Recorded[]
  readonly #edited: readonly number[]
  readonly #real: Host
  readonly #closed = new AbortController()
  readonly #cleaner: Cleaner
  readonly #listeners = new Set<() => void>()
  #random: () => number
  #working = 0
  /** Entries that have begun but not ended. */
  readonly #open = new Set<Entry>()
  #isWatched = false
  /** Whether nothing but the replay keeps the process alive, so that the wait for a stalled replay has to. */
  isAlone = false
  /** Whether the tape provides the clock. Otherwise the caller's clock is deterministic, and `now` reads it. */
  isTimed = false
  now: () => number
  isAttached = false
  /** The first difference of a replay. */
  difference: CassetteError | undefined
  /** Counts each begin and each end of an entry. */
  ticks = 0

  constructor(mode: TapeMode, recorded: CassetteText | undefined, redact: readonly (string | RegExp)[], real: Host = systemHost) {
    this.mode = mode
    this.header = { ...(recorded?.header ?? { cassette: 1, now: real.now(), seed: SEED }) }
    this.#edited = recorded?.edited ?? []
    this.#recorded = (recorded?.entries ?? []).map((entry, index) => {
      const line = index + 2
      return { entry, line, isEdited: this.#edited.includes(line), used: false }
    })
    this.#real = real
    this.#cleaner = new Cleaner(redact)
    const { now, seed } = this.header
    this.#random = createRandom(seed)
    this.clock = new TapeClock(
      real,
      now,
      () => this.#random(),
      mode === 'record',
      (due) => this.#woken(due),
    )
    this.now = () => this.clock.now()
  }

  /** @throws CassetteError for a value that cannot be recorded; later requests and `close` then throw the same error */
  readonly clean = (value: unknown): JsonValue => this.#tried(() => this.#cleaner.clean(value))

  /** @throws CassetteError if the cassette has a different entry here; every later `begin` then throws the same error */
  begin(kind: EntryKind, asked: unknown): Playing {
    if (this.difference) throw this.difference
    const cleaned = this.#tried(() => {
      if (kind === 'model') this.#cleaner.learnIds(asked)
      if (kind === 'call') this.#cleaner.learnIds(idsOfCall(asked))
      return this.#cleaner.clean(asked)
    })
    const found = this.mode === 'record' ? undefined : this.#find(kind, cleaned)
    if (found) {
      const before = this.#recorded.slice(0, this.#recorded.indexOf(found))
      this.#pass(before.filter(({ used, entry }) => !used && entry.kind === 'time'))
      found.used = true
    }
    const entry: Entry = found?.entry ?? { kind, asked: cleaned }
    this.entries.push(entry)
    if (this.isTimed && found) this.clock.moveTo(this.header.now + (entry.at ?? 0))
    if (!found) {
      const at = (this.isTimed ? this.clock.follow() : this.now()) - this.header.now
      if (at !== 0) entry.at = at
    }
    this.#open.add(entry)
    this.#tick()
    return { entry, isLive: !found }
  }

  end({ entry, isLive }: Playing): void {
    this.#open.delete(entry)
    if (isLive) {
      const until = (this.isTimed ? this.clock.follow() : this.now()) - this.header.now
      if (this.isTimed || until !== (entry.at ?? 0)) entry.until = until
    } else if (this.isTimed && entry.until !== undefined) {
      const { until } = entry
      // Skip the sleeps of a shell or a program, which does not run in a replay.
      this.#pass(this.#times().filter((time) => Number(time.entry.asked) <= until))
      this.clock.moveTo(this.header.now + until)
    }
    this.#tick()
  }

  /**
   * Answers one request. A recording calls `live`, which can add data to the entry. A replay first calls `replay`, which repeats the
   * recorded side effects, and then returns the recorded answer.
   */
  async play<Answer>(
    kind: EntryKind,
    asked: unknown,
    live: (entry: Entry) => Promise<Answer>,
    replay?: (entry: Entry) => Promise<void>,
  ): Promise<Answer> {
    const playing = this.begin(kind, asked)
    const { entry, isLive } = playing
    try {
      if (!isLive) {
        if (!hasAnswer(entry)) throw this.#fail(unfinished(entry, this.#lineOf(entry)))
        await replay?.(entry)
        // Yield once, because a real answer never arrives in the same turn of the event loop.
        await this.clock.yield()
        if (entry.failed !== undefined) throw thrown(revive(entry.failed))
        if (kind === 'model') this.#cleaner.learnIds(entry.answered)
        return entry.answered as Answer
      }
      const answer = await live(entry)
      entry.answered = kind === 'model' ? this.#tried(() => this.#cleaner.answer(answer)) : this.clean(answer)
      return answer
    } catch (error) {
      if (isLive) entry.failed = this.clean(failureOf(error))
      throw error
    } finally {
      this.end(playing)
    }
  }

  /** Compares the result of a call with the recorded result. A replay executes calls too. */
  compare({ entry, isLive }: Playing, answered: unknown): void {
    const cleaned = this.clean(answered)
    const line = this.#lineOf(entry)
    const different = isLive ? undefined : firstDifference(entry.answered, cleaned)
    if (!different || this.mode === 'update') entry.answered = cleaned
    else this.#fail(differenceOf(entry, line, 'answers otherwise than', different))
  }

  /**
   * Ends a recording. Redacts every known secret in all entries, because a secret may have become known after an entry was recorded. Also
   * redacts the pieces of a secret that a process printed in several outputs, because calls may have returned these pieces.
   *
   * @throws CassetteError for a secret whose pieces are too short to be found in the results of calls
   */
  finish(): void {
    const parts: string[] = []
    for (const [index, { events }] of this.entries.entries()) {
      for (const stream of ['stdout', 'stderr'] as const) {
        for (const pieces of this.#cleaner.split((events ?? []).map((event) => event[stream] ?? ''))) {
          const long = pieces.filter(({ length }) => length >= LEAST_SECRET)
          if (long.length === 0 && pieces.length > 1) throw inPieces(index + 2)
          // Skip a secret in one piece: if it has to be redacted everywhere, the cleaner already remembers it.
          if (pieces.length > 1) parts.push(...long)
        }
      }
    }
    // Clean the outputs only now: their pieces have been joined, so a secret in several pieces is found.
    for (const entry of this.entries) if (entry.events) entry.events = this.clean(entry.events) as unknown as RecordedEvent[]
    const late = this.#cleaner.late(parts)
    for (const entry of this.entries)
      for (const field of CONTENT) {
        const isAnswer = entry.kind === 'model' && field === 'answered'
        if (entry[field] !== undefined) Object.assign(entry, { [field]: isAnswer ? late.answer(entry[field]) : late.clean(entry[field]) })
      }
    if (this.header.files) this.header.files = late.clean(this.header.files) as RecordedFiles
  }

  #tried(clean: () => JsonValue): JsonValue {
    try {
      return clean()
    } catch (error) {
      throw this.#fail(new CassetteError(`Cannot record the value: ${error instanceof Error ? error.message : String(error)}.`))
    }
  }

  #lineOf(entry: Entry): number | undefined {
    return this.#recorded.find((recorded) => recorded.entry === entry)?.line
  }

  /** Stops the clock until the work is done, so that a process prints its output before time moves on. */
  async work(work: () => Promise<void>): Promise<void> {
    this.#working++
    try {
      await work()
    } finally {
      this.#working--
      this.#pump()
    }
  }

  /** Calls the listener whenever an entry begins or ends. */
  onTick(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Ends the tape. Returns the first difference of a replay; without one, the error for recorded entries that the replay did not use, or for
   * edited lines. `but`: a kind that may stay unused.
   */
  close(but?: EntryKind): CassetteError | undefined {
    this.#closed.abort()
    return this.difference ?? (this.mode === 'replay' ? (this.#unused(but) ?? editedError(this.#edited)) : undefined)
  }

  #unused(but?: EntryKind): CassetteError | undefined {
    const left = this.#recorded.filter(({ used, entry }) => !used && entry.kind !== 'time' && entry.kind !== but)
    const [first] = left
    return first && unused(first, left.length - 1)
  }

  #find(kind: EntryKind, asked: JsonValue): Recorded | undefined {
    const isUsable = ({ entry, isEdited }: Recorded): boolean =>
      this.mode !== 'update' || (!isEdited && (kind === 'call' || hasAnswer(entry)))
    const lane = this.#recorded.filter((recorded) => !recorded.used && recorded.entry.kind === kind && isUsable(recorded))
    const isSame = ({ entry }: Recorded): boolean => firstDifference(entry.asked, asked) === undefined
    const [next] = lane
    if (this.mode === 'update' || ANY_ORDER.has(kind)) {
      const exact = json(asked)
      const found = lane.find(({ entry }) => json(entry.asked) === exact) ?? lane.find(isSame)
      if (found || this.mode === 'update') return found
    } else if (next && isSame(next)) return next
    const different = next && firstDifference(next.entry.asked, asked)
    throw this.#fail(different ? differenceOf(next.entry, next.line, 'differs from', different, asked) : exhausted(kind, asked))
  }

  /** Keeps only the first difference, and wakes everything that waits for the cassette. */
  #fail(difference: CassetteError): CassetteError {
    this.difference ??= withEdited(difference, this.#edited)
    this.clock.release()
    for (const listener of [...this.#listeners]) listener()
    return this.difference
  }

  #tick(): void {
    this.ticks++
    // Reseed at each entry: a shell or program draws random numbers while recording, but does not run in a replay.
    this.#random = createRandom(this.header.seed * 65_537 + this.ticks)
    for (const listener of [...this.#listeners]) listener()
    this.#pump()
  }

  #woken(due: number): void {
    if (!this.isTimed) return
    if (this.mode === 'record') {
      this.entries.push({ kind: 'time', asked: due - this.header.now, tick: this.ticks })
      this.#tick()
    } else {
      this.#pump()
      void this.#watch()
    }
  }

  /** Fails a replay that would wait forever, because its sleeps end at other times than the recorded sleeps. */
  async #watch(): Promise<void> {
    if (this.#isWatched) return
    this.#isWatched = true
    for (let seen = -1; this.clock.isSleeping && !this.difference && !this.#closed.signal.aborted; ) {
      const missing = seen === this.ticks ? this.#missingSleep() : undefined
      if (missing) {
        this.#fail(stalled(missing, STALL_MS))
        break
      }
      seen = this.ticks
      const longest = Math.max(0, ...[...this.#open].map(({ at = 0, until = 0 }) => until - at))
      await this.#real.sleep(STALL_MS + longest, this.#closed.signal, { background: !this.isAlone })
    }
    this.#isWatched = false
  }

  /** The recorded end of a sleep that comes next, although no sleep ends at its time. */
  #missingSleep(): Recorded | undefined {
    const [next] = this.#times()
    return next && this.#working === 0 && this.ticks >= (next.entry.tick ?? 0) ? next : undefined
  }

  /**
   * Ends sleeps at the recorded times while no other entry moves the clock. Skips a recorded time without a sleep: such a sleep belonged to
   * an operation that does not run in a replay.
   */
  #pump(): void {
    if (!this.isTimed || this.#working > 0) return
    for (;;) {
      const times = this.#times()
      const isDue = ({ entry }: Recorded): boolean =>
        this.ticks >= (entry.tick ?? 0) && this.clock.wakesBy(this.header.now + Number(entry.asked))
      const next = times.findIndex(isDue)
      const reached = times[next]
      if (!reached) return
      this.#pass(times.slice(0, next + 1))
      this.clock.moveTo(this.header.now + Number(reached.entry.asked))
    }
  }

  /** The time entries directly after the last used entry. */
  #times(): readonly Recorded[] {
    const first = this.#recorded.findIndex(({ used }) => !used)
    const end = this.#recorded.findIndex(({ entry }, index) => index >= first && entry.kind !== 'time')
    return first < 0 ? [] : this.#recorded.slice(first, end < 0 ? undefined : end)
  }

  #pass(times: readonly Recorded[]): void {
    for (const time of times) {
      time.used = true
      this.entries.push(time.entry)
      this.#tick()
    }
  }
}

const hasAnswer = ({ answered, failed }: Entry): boolean => answered !== undefined || failed !== undefined

/** Returns the ids of the call itself, for `learnIds`. Ids in the call's input are content and stay. */
const idsOfCall = (asked: unknown): object => {
  const { id, parent } = asked as { readonly id?: string; readonly parent?: string }
  return { id, parent_id: parent }
}
