import { FEW_VALUES, MOST_PARSED, NO_BUFFER, parsedBytes } from '../../shared/js/parsed.js'
import { plainError } from '../../shared/js/plain-error.js'
import { failed } from '../answer.js'
import { NoRoom } from '../engine/engine.js'
import type { FileCalls } from '../fs/calls.js'
import type { Services } from '../job.js'
import { bytesLeft, type MemoryBudget, makeRoom, mayPass, SMALL } from '../memory-budget.js'
import type { Modules } from './modules.js'

export interface Settled {
  readonly text: string
  readonly bytes?: Uint8Array
}

/** Asynchronous questions of the guest. */
export interface Later {
  /** Starts to answer a question. `text`: number of the question, operation and JSON, separated by spaces. */
  ask(text: string, bytes: Uint8Array | undefined): void
  readonly pending: number
  readonly hasSettled: boolean
  /** Yields the settled answers. Each answer takes room in the budget until it is yielded. @throws {NoRoom} */
  settled(): Iterable<Settled>
  onSettled(wake: (() => void) | undefined): void
}

export interface LaterOptions {
  readonly modules: Modules
  readonly services: Services
  readonly files: FileCalls | undefined
  readonly budget: MemoryBudget
}

/** Maximum number of open questions. Only a program that has replaced the guest's own code can reach this limit. */
const MOST = 256

/** Limits for operations whose questions have many values, for example request headers. */
const MOST_VALUES: ReadonlyMap<string, number> = new Map([
  ['invokeTool', MOST_PARSED],
  ['fetch', 262_144],
  ['server', 262_144],
])
/** Operations whose JSON is passed on as text, because the receiver parses it. */
const UNPARSED: ReadonlySet<string> = new Set(['invokeTool'])

interface Outcome {
  readonly value?: unknown
  readonly bytes?: Uint8Array
}

interface Held extends Settled {
  readonly handOver: () => void
}

export function createLater({ modules, services, files, budget }: LaterOptions): Later {
  const done: Held[] = []
  // Run file reads one at a time, because each result is held until it is handed over.
  const enter = createLine()
  /** Counts bytes as in transit. The returned function releases them. */
  const hold = (bytes: number): (() => void) => {
    let held = bytes
    makeRoom(budget, held)
    budget.transit += held
    return () => {
      budget.transit -= held
      held = 0
    }
  }
  let pending = 0
  let wake: (() => void) | undefined
  const operations: Readonly<Record<string, (input: never, bytes: Uint8Array | undefined, release: () => void) => Promise<Outcome>>> = {
    async extend({ specifier, from, kind }: { specifier: string; from: string; kind: 'import' }) {
      const { resolution, added } = await services.extend(specifier, from, modules.graph)
      modules.add(added, specifier, from, kind, resolution)
      return { value: resolution }
    },
    async digest(algorithm: string, bytes) {
      const digest = await globalThis.crypto.subtle.digest(algorithm, (bytes ?? new Uint8Array()) as Uint8Array<ArrayBuffer>)
      return { bytes: new Uint8Array(digest) }
    },
    async fetch(request: Parameters<Services['fetch']>[0], body) {
      const { bytes, ...value } = await services.fetch(request, body)
      return { value, bytes }
    },
    async server(question: Parameters<Services['server']>[0], bytes) {
      return services.server(question, bytes)
    },
    async invokeTool(call: string) {
      return { value: await services.invokeTool(call) }
    },
    async fs(question: unknown, bytes, release) {
      const answer = files
        ? await files.later(question, bytes, release)
        : failed({ message: 'Cannot use files: this program is granted none', code: 'ERR_ACCESS_DENIED' })
      return answer instanceof Uint8Array ? { bytes: answer } : { value: answer }
    },
  }
  const settle = (id: number, { text, bytes }: Settled, leave: () => void): void => {
    pending--
    const cost = 2 * text.length + (bytes?.length ?? 0)
    // If other data is in transit, the answer must fit in addition, because each answer takes room in the engine when it is handed over.
    if (budget.transit > 0 ? cost <= Math.max(SMALL, bytesLeft(budget)) : mayPass(budget, cost)) {
      const release = hold(cost)
      done.push({
        text,
        ...(bytes && { bytes }),
        handOver: () => {
          release()
          leave()
        },
      })
    } else if (budget.transit > 0) {
      done.push({ text: JSON.stringify({ id, error: NO_BUFFER }), handOver: leave })
    } else {
      done.push({
        text: '',
        handOver() {
          throw new NoRoom()
        },
      })
    }
    wake?.()
  }
  const answer = async (operation: string, input: unknown, bytes: Uint8Array | undefined, release: () => void): Promise<Outcome> => {
    const run = Object.hasOwn(operations, operation) ? operations[operation] : undefined
    if (!run) throw new Error(`There is no ${operation} in this environment`)
    return run(input as never, bytes, release)
  }
  const settledOf = async (id: number, outcome: Promise<Outcome>): Promise<Settled> => {
    try {
      const { value, bytes } = await outcome
      return { text: JSON.stringify({ id, value }), ...(bytes && { bytes }) }
    } catch (error) {
      return { text: JSON.stringify({ id, error: plainError(error) }) }
    }
  }
  return {
    ask(text, bytes) {
      if (pending >= MOST) throw new Error('too many questions at once')
      const { id, operation, json } = partsOf(text)
      const values = parsedBytes(json)
      const cost = 2 * text.length + values + (bytes?.length ?? 0)
      if (values > (MOST_VALUES.get(operation) ?? FEW_VALUES) || !mayPass(budget, cost))
        throw Object.assign(new Error(NO_BUFFER.message), NO_BUFFER)
      const input: unknown = UNPARSED.has(operation) ? json : JSON.parse(json)
      pending++
      const release = hold(cost)
      const begin = async (leave: () => void): Promise<void> => {
        const settled = await settledOf(id, answer(operation, input, bytes, release))
        release()
        settle(id, settled, leave)
      }
      if (operation === 'fs') void enter().then(begin)
      else void begin(() => {})
    },
    get pending() {
      return pending
    },
    get hasSettled() {
      return done.length > 0
    },
    *settled() {
      for (const { handOver, ...settled } of done.splice(0)) {
        handOver()
        yield settled
      }
    },
    onSettled(next) {
      wake = next
    },
  }
}

/** @throws {TypeError} for a malformed question */
function partsOf(text: string): { readonly id: number; readonly operation: string; readonly json: string } {
  const [, id, operation] = /^(\d{1,16}) (\w{1,32}) /.exec(text) ?? []
  if (id === undefined || operation === undefined) throw new TypeError('There is no such question')
  return { id: Number(id), operation, json: text.slice(id.length + operation.length + 2) }
}

/** Creates a queue: each caller waits until the previous one has left. */
function createLine(): () => Promise<() => void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    const before = last
    let leave = (): void => {}
    last = new Promise((resolve) => {
      leave = resolve
    })
    return before.then(() => leave)
  }
}
