import { failed } from '../answer.js'
import type { FileCalls } from '../fs/calls.js'
import type { Services } from '../job.js'
import type { Modules } from './modules.js'

export interface Settled {
  readonly text: string
  readonly bytes?: Uint8Array
}

/** Questions whose answers come later. */
export interface Later {
  /** JSON of its number, what is asked, and the question. */
  ask(text: string, bytes: Uint8Array | undefined): void
  readonly pending: number
  readonly hasSettled: boolean
  settled(): Settled[]
  onSettled(wake: (() => void) | undefined): void
}

export interface LaterOptions {
  readonly modules: Modules
  readonly services: Services
  readonly files: FileCalls | undefined
}

/** The guest asks fewer: this is for one that has put something else in the place of what asks. */
const MOST = 256

interface Outcome {
  readonly value?: unknown
  readonly bytes?: Uint8Array
}

export function createLater({ modules, services, files }: LaterOptions): Later {
  const done: Settled[] = []
  let pending = 0
  let wake: (() => void) | undefined
  const operations: Readonly<Record<string, (input: never, bytes: Uint8Array | undefined) => Promise<Outcome>>> = {
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
    async invokeTool([name, input]: [string, unknown]) {
      return { value: await services.invokeTool(name, input) }
    },
    async fs(question: unknown, bytes) {
      const answer = files
        ? await files.later(question, bytes)
        : failed({ message: 'Cannot use files: this program is granted none', code: 'ERR_ACCESS_DENIED' })
      return answer instanceof Uint8Array ? { bytes: answer } : { value: answer }
    },
  }
  const settle = (settled: Settled): void => {
    pending--
    done.push(settled)
    wake?.()
  }
  return {
    ask(text, bytes) {
      if (pending >= MOST) throw new Error('too many questions at once')
      const [id, operation, input] = JSON.parse(text) as [number, string, unknown]
      pending++
      const run = Object.hasOwn(operations, operation) ? operations[operation] : undefined
      const outcome = run ? run(input as never, bytes) : Promise.reject(new Error(`There is no ${operation} in this environment`))
      const answered = outcome.then(({ value, bytes: found }) => ({ text: JSON.stringify({ id, value }), ...(found && { bytes: found }) }))
      answered.then(settle, (error: unknown) => settle({ text: JSON.stringify({ id, error: faultOf(error) }) }))
    },
    get pending() {
      return pending
    },
    get hasSettled() {
      return done.length > 0
    },
    settled: () => done.splice(0),
    onSettled(next) {
      wake = next
    },
  }
}

function faultOf(error: unknown): { readonly name: string; readonly message: string; readonly code?: string } {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { name: error.name, message: error.message, ...code }
}
