import type { QuickJSContext, QuickJSRuntime, QuickJSSyncVariant } from 'quickjs-emscripten-core'
import { bytesLeft, type MemoryBudget, makeRoom, SMALL } from '../memory-budget.js'
import type { Heard } from './module-rejections.js'
import { placeInTable, TELLS } from './patch-rejections.js'
import { createRejections, type Rejections } from './rejections.js'
import { unavailable } from './unavailable.js'

const PAGE = 65_536
/** When the engine needs memory, it requests at least this fraction of its current memory, even if it needs less. */
const SPARE = 0.05
/** Memory with which the engine starts, in pages. */
const FIRST_PAGES = 256
/** Offset in bytes from the runtime's interrupt handler field to its rejection tracker field. */
const TRACKER = 8
/** The search for the interrupt handler field covers this many 32-bit words from the runtime's address. */
const FIELDS = 128

export interface EngineOptions {
  readonly module: WebAssembly.Module
  /** The budget for the memory of guest and engine. The engine keeps its counts up to date. */
  readonly budget: MemoryBudget
  readonly stackBytes: number
  /** Returns the guest's time in milliseconds. */
  readonly now: () => number
  /**
   * Called regularly while the guest runs, with the number of jumps and calls that the guest has made since the previous check. If it
   * returns true, the engine stops the guest. The guest cannot catch this.
   */
  readonly interrupt: (passed: number) => boolean
}

/** An engine for one program. The engine is never disposed: the garbage collector frees the memory. */
export interface Engine {
  readonly context: QuickJSContext
  readonly runtime: QuickJSRuntime
  /** Unhandled rejections. For failed modules, `importFailed` and `evaluated` drop the rejections that the engine itself causes. */
  readonly rejections: Pick<Rejections, 'take' | 'importFailed' | 'evaluated'>
  /**
   * Whether `bytes` more bytes fit. The library does not check whether an allocation failed and would overwrite the start of the memory.
   */
  hasRoom(bytes: number): boolean
}

/** Thrown if a value does not fit into the engine's memory. */
export class NoRoom extends Error {}

interface Emscripten {
  readonly wasmMemory: WebAssembly.Memory
  readonly print: () => void
  readonly printErr: () => void
  instantiateWasm(imports: Imports, done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void): object
}

type Imports = Record<'a', Record<string, (...args: never[]) => unknown>>

/** Loads the library, which is an optional peer. @throws {JsError} unavailable */
export async function loadLibrary(): Promise<Library> {
  try {
    // Bundlers accept a missing package only if its import has a direct catch.
    const [core, variant] = await Promise.all([
      import('quickjs-emscripten-core').catch(rethrow),
      import('@jitl/quickjs-wasmfile-release-sync').catch(rethrow),
    ])
    return { core, variant: variant.default as unknown as QuickJSSyncVariant }
  } catch (cause) {
    throw unavailable(cause)
  }
}

const rethrow = (cause: unknown): never => {
  throw cause
}

export interface Library {
  readonly core: typeof import('quickjs-emscripten-core')
  readonly variant: QuickJSSyncVariant
}

/** Creates an engine instance with its own memory. */
export async function createEngine({ core, variant }: Library, options: EngineOptions): Promise<Engine> {
  const { module, budget, stackBytes, now, interrupt } = options
  const memory = createMemory(budget)
  const place = placeInTable(module)
  let tracker: Rejections | undefined
  let pace: Pace | undefined
  const tell = listenTo(() => tracker)
  const emscripten: Emscripten = {
    wasmMemory: memory,
    print: () => undefined,
    printErr: () => undefined,
    instantiateWasm(imports, done) {
      const own = imports.a
      const localtime = own.m as (time: bigint, at: number) => void
      // Replace the clock, and intercept the calls that `patch-rejections.ts` adds to the engine.
      own.p = now
      own.m = (value: bigint, at: number) => (at < 0 ? tell(at, value) : localtime(value, at))
      void WebAssembly.instantiate(module, imports as unknown as WebAssembly.Imports).then((instance) => done(instance, module))
      return {}
    },
  }
  const own = core.newVariant(variant, { emscriptenModule: emscripten as never })
  const quickjs = await core.newQuickJSWASMModuleFromVariant(own)
  const runtime = quickjs.newRuntime({ maxStackSizeBytes: stackBytes })
  const before = place === undefined ? undefined : fieldsOf(runtime, memory)
  runtime.setInterruptHandler(() => interrupt(pace?.passed() ?? 0))
  if (before && place !== undefined) track(runtime, memory, before, place)
  const context = runtime.newContext()
  const rejections = createRejections(context, memory)
  tracker = rejections
  pace = createPace(memory, (context as unknown as { readonly ctx: { readonly value: number } }).ctx.value)
  const { module: heap } = context as unknown as { readonly module: { _malloc(size: number): number; _free(at: number): void } }
  return {
    context,
    runtime,
    rejections,
    hasRoom(bytes) {
      if (bytes < SMALL) return true
      const { refused } = budget
      const at = heap._malloc(bytes)
      if (at !== 0) heap._free(at)
      // This allocation was only a probe, so restore the flag.
      else budget.refused = refused
      return at !== 0
    },
  }
}

/** Creates the engine's memory. The library calls `grow` for more memory. If `grow` throws, the program gets an out-of-memory error. */
function createMemory(budget: MemoryBudget): WebAssembly.Memory {
  const maximum = Math.max(FIRST_PAGES, Math.floor(budget.maxBytes / PAGE))
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum })
  const grow = memory.grow.bind(memory)
  budget.engine = memory.buffer.byteLength
  memory.grow = (pages) => {
    if (pages * PAGE > bytesLeft(budget)) {
      // The engine tries three amounts, each smaller than the previous one. A denied large request may concern a single large object, so
      // such a request does not set the flag.
      if (pages * PAGE <= budget.engine * SPARE + PAGE) budget.refused = true
      throw new RangeError('the files of the program take the rest')
    }
    makeRoom(budget, pages * PAGE)
    const before = grow(pages)
    budget.engine = memory.buffer.byteLength
    budget.refused = false
    return before
  }
  return memory
}

const addressOf = (runtime: QuickJSRuntime): number => (runtime as unknown as { readonly rt: { readonly value: number } }).rt.value

function fieldsOf(runtime: QuickJSRuntime, memory: WebAssembly.Memory): Int32Array {
  return new Int32Array(memory.buffer, addressOf(runtime), FIELDS).slice()
}

/**
 * Sets the rejection tracker of the runtime. `setInterruptHandler` has changed exactly one field, and the field of the tracker follows at a
 * known distance.
 */
function track(runtime: QuickJSRuntime, memory: WebAssembly.Memory, before: Int32Array, place: number): void {
  const fields = new Int32Array(memory.buffer, addressOf(runtime), FIELDS)
  const changed = [...fields.keys()].filter((index) => fields[index] !== before[index])
  const [handler] = changed
  if (changed.length === 1 && handler !== undefined && fields[handler + TRACKER / 4] === 0) fields[handler + TRACKER / 4] = place
}

/** Returns a listener for `patch-rejections.ts`, which reports each event in three calls. */
function listenTo(tracker: () => Heard | undefined): (mark: number, value: bigint) => void {
  let [promise, reason] = [0n, 0n]
  return (mark, value) => {
    if (mark === TELLS.promise) promise = value
    else if (mark === TELLS.reason) reason = value
    else if (value === 0n) tracker()?.rejected(promise, reason)
    else tracker()?.handled(promise)
  }
}

/** The engine's built-in number of jumps and calls between two interrupt checks. */
const BUILT_IN = 10_000
/**
 * Shorter interval, in jumps and calls. Each call may unwind a deep stack or search a long text, so 10,000 of them could take seconds. A
 * check takes 0.2 µs.
 */
const OFTEN = 250
/** Milliseconds. If two checks are further apart, the interval becomes `SLOW`. */
const SELDOM_MS = 5
const SLOW = 10
/** The search for the counter covers this many 32-bit words from the context's address. */
const CONTEXT_FIELDS = 128

/** Makes the engine check for interrupts more often. */
interface Pace {
  /** Call at each check. Returns the number of jumps and calls since the previous check. */
  passed(): number
}

/** @param context address of the engine's context, which counts down to the next check */
function createPace(memory: WebAssembly.Memory, context: number): Pace {
  let place: number | undefined
  let next = BUILT_IN
  let last = performance.now()
  let words = new Int32Array(memory.buffer)
  return {
    passed() {
      const now = performance.now()
      const done = next
      // Growing the memory detaches the view, so create a new one.
      if (words.length === 0) words = new Int32Array(memory.buffer)
      if (place !== undefined && words[place] !== BUILT_IN) {
        // This check comes from a regular expression, which has its own counter and does not change the counter of the context.
        last = now
        return BUILT_IN
      }
      place ??= placeOf(words, context / 4)
      if (place !== undefined) words[place] = next = now - last > SELDOM_MS ? SLOW : OFTEN
      last = now
      return done
    },
  }
}

/**
 * Returns the index of the counter, which the engine has just reset. Returns undefined if the counter is not clear, as during a regular
 * expression match, which has a counter of its own. The next check then searches again.
 */
function placeOf(words: Int32Array, from: number): number | undefined {
  // `indexOf` on `words` would search the whole memory.
  const fields = words.subarray(from, from + CONTEXT_FIELDS)
  const found = fields.indexOf(BUILT_IN)
  return found < 0 || fields.indexOf(BUILT_IN, found + 1) >= 0 ? undefined : from + found
}
