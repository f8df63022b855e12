import { FsError, type FsErrorCode, JsError, NetworkError, ShellError } from '../../../errors/index.js'
import { required } from '../../../errors/required.js'
import type { FsAdapter, FsMoment } from '../../../types/fs.js'
import type { JsAdapter } from '../../../types/js.js'
import type { FetchAdapter } from '../../../types/ports.js'
import type { ShellAdapter, ShellExit, ShellProcess } from '../../../types/shell.js'
import { checkPlan, contentOf, decider, type Fault, type FaultOperation, type Faults, type FiredFault } from './plan.js'

/** The ports that `withFaults` accepts. */
export type FaultyPort = FsAdapter | ShellAdapter | JsAdapter | FetchAdapter

const CHANGING: ReadonlySet<unknown> = new Set([
  ...['write', 'append', 'copy', 'mkdir', 'symlink', 'unlink', 'rmdir', 'rename', 'rmTree', 'setMeta'],
  ...['exec', 'spawn', 'run', 'fetch'],
  ...['process.write', 'process.closeInput', 'process.resize', 'process.kill'],
])
const LOOKING: ReadonlySet<unknown> = new Set([
  ...['open', 'flush', 'lstat', 'readdir', 'read', 'readlink'],
  ...['checkWrite', 'timesBelow', 'scanBelow', 'skim', 'usage', 'checkpoint'],
  ...['checkpoint.diff', 'checkpoint.lstat', 'checkpoint.read'],
])
/** Methods whose results are wrapped as well. */
const OPENING: ReadonlySet<unknown> = new Set(['checkpoint', 'spawn'])
/** The storage's own checkpoint of each wrapped checkpoint. The storage recognises its checkpoints by identity. */
const moments = new WeakMap<object, FsMoment>()

type Method = (args: readonly unknown[]) => Promise<unknown>

class PlannedFaults implements Faults {
  readonly operations: FaultOperation[] = []
  readonly fired: FiredFault[] = []
  readonly #plan: readonly Fault[]
  #deciders: ReturnType<typeof decider>[] = []
  #isOn = true

  constructor(plan: readonly Fault[]) {
    plan.forEach(checkPlan)
    this.#plan = plan
    this.start()
  }

  start(): void {
    this.operations.length = this.fired.length = 0
    this.#deciders = this.#plan.map(decider)
    this.#isOn = true
  }

  stop(): void {
    this.#isOn = false
  }

  /**
   * Counts an operation and applies the faults that hit it. Without a fault, calls the method synchronously, with the caller's own bytes.
   * An exception of the method becomes a rejection.
   */
  async call(adapter: FaultyPort, name: string, make: Method, args: readonly unknown[]): Promise<unknown> {
    if (!this.#isOn) return make(args)
    const path = 'lstat' in adapter ? args[name === 'symlink' ? 1 : 0] : undefined
    const operation: FaultOperation = {
      number: this.operations.length + 1,
      adapter: adapter.name,
      method: name,
      args,
      ...(typeof path === 'string' && { path }),
      changes: CHANGING.has(name),
    }
    this.operations.push(operation)
    const hits = this.#deciders.map((decide) => decide(operation))
    if (!hits.some(Boolean)) return make(args)
    const own = args.map((arg) => (arg instanceof Uint8Array ? arg.slice() : arg))
    for (const [index, { fault }] of this.#plan.entries()) {
      const hit = hits[index]
      if (!hit) continue
      this.fired.push({ fault, operation })
      if (typeof fault === 'function') await fault(operation)
      else if (fault === 'stale') await appendByte(adapter as FsAdapter, operation.path as string)
      else {
        const bytes = contentOf(operation)
        if (fault === 'torn' && bytes) await make([own[0], (own[1] as Uint8Array).subarray(0, bytes.length >> 1), ...own.slice(2)])
        if (fault === 'unacknowledged' || (fault === 'kill' && hit === 'first')) await make(own)
        throw failure(adapter, operation, FsError.isCode(fault) ? fault : fault === 'full' ? 'ENOSPC' : 'EIO')
      }
    }
    return make(own)
  }
}

async function appendByte(fs: FsAdapter, path: string): Promise<void> {
  const stat = await fs.lstat(path).catch(() => undefined)
  if (stat?.kind !== 'file') return
  const bytes = await fs.read(path)
  const longer = new Uint8Array(bytes.length + 1)
  longer.set(bytes)
  longer[bytes.length] = 10
  await fs.write(path, longer)
}

/** Creates the error in the form that the port documents. */
function failure(adapter: FaultyPort, { number, method, path, args }: FaultOperation, code: FsErrorCode): Error {
  const detail = `a planned fault at operation ${number}`
  if (path !== undefined || 'lstat' in adapter) {
    const dest = method === 'rename' || method === 'copy' ? { dest: String(args[1]) } : {}
    return new FsError({ code, op: method, path: path ?? '/', ...dest, detail })
  }
  const message = `Cannot ${method}: ${detail} (${code})`
  if (method.startsWith('process.')) return new ShellError('not_running', message)
  if ('fetch' in adapter) return new NetworkError('network', message, { retryable: true })
  return 'exec' in adapter ? new ShellError('spawn_failed', message) : new JsError('spawn_failed', message)
}

/**
 * Wraps an adapter so that its operations fail as planned. Adapters with the same `faults` share one count: `withFaults(shell, fs.faults)`.
 * Checkpoints of a storage and processes of a shell fail too: `checkpoint.read`, `process.write`. `close` and members outside the port
 * never fail.
 *
 * @throws {TypeError, RangeError} for an invalid plan
 */
export function withFaults<Port extends FaultyPort>(
  adapter: Port,
  plan: Fault | readonly Fault[] | Faults,
): Port & { readonly faults: Faults } {
  required('withFaults', 'a storage, shell, JavaScript engine or fetch adapter', adapter, 'name')
  if (![...CHANGING, ...LOOKING].some((name) => typeof Reflect.get(adapter, name as string) === 'function'))
    throw new TypeError('withFaults needs a storage, shell, JavaScript engine or fetch adapter: this object has none of their methods')
  required('withFaults', 'a fault, a list of faults, or the faults of another adapter', plan)
  const faults = plan instanceof PlannedFaults ? plan : createFaults(plan as Fault | readonly Fault[])
  return proxied(adapter, faults, adapter, '', { faults }) as Port & { readonly faults: Faults }
}

/**
 * Wraps an object so that its operations fail as planned. `own` overrides properties of the object. The names of the operations begin with
 * `prefix`.
 */
function proxied<Target extends object>(target: Target, faults: PlannedFaults, adapter: FaultyPort, prefix: string, own: object): Target {
  const methods = new Map<unknown, unknown>()
  return new Proxy(target, {
    get(_, name) {
      if (name in own) return Reflect.get(own, name)
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (!methods.has(name)) {
        const operation = `${prefix}${String(name)}`
        const make: Method = (args) => value.apply(target, args) as Promise<unknown>
        const counted = (...args: readonly unknown[]): Promise<unknown> => {
          const result = faults.call(adapter, operation, make, args.map(unwrapped))
          return OPENING.has(name) ? result.then((opened) => wrapped(opened as object, faults, adapter)) : result
        }
        methods.set(name, CHANGING.has(operation) || LOOKING.has(operation) ? counted : value.bind(target))
      }
      return methods.get(name)
    },
  })
}

/** Wraps a checkpoint of a storage, or a process of a shell or a JavaScript engine. */
function wrapped(opened: object, faults: PlannedFaults, adapter: FaultyPort): object {
  if ('exited' in opened) {
    const process = opened as ShellProcess
    // `exited` never rejects. With a fault, the exit is reported as unknown.
    const exited = process.exited.then((exit) =>
      faults.call(adapter, 'process.exited', async () => exit, []).catch((): ShellExit => ({ exitCode: null })),
    )
    return proxied(process, faults, adapter, 'process.', { exited })
  }
  const moment = proxied(opened as FsMoment, faults, adapter, 'checkpoint.', {})
  moments.set(moment, opened as FsMoment)
  return moment
}

const unwrapped = (arg: unknown): unknown => (typeof arg === 'object' && arg !== null ? (moments.get(arg) ?? arg) : arg)

export const createFaults = (plan: Fault | readonly Fault[]): PlannedFaults =>
  new PlannedFaults(Array.isArray(plan) ? plan : [plan as Fault])
