import type { QuickJSContext, QuickJSRuntime, QuickJSSyncVariant } from 'quickjs-emscripten-core'
import { bytesLeft, type MemoryBudget, makeRoom, SMALL } from '../memory-budget.js'
import type { Heard } from './module-rejections.js'
import { placeInTable, TELLS } from './patch-rejections.js'
import { createRejections, type Rejections } from './rejections.js'
import { unavailable } from './unavailable.js'

const PAGE = 65_536
/** The engine asks for so much more than it needs at the least, as a part of what it has. */
const SPARE = 0.05
/** What the engine's build asks for at the least. */
const FIRST_PAGES = 256
/** From the field of the runtime's interrupt handler to that of its rejection tracker, in bytes. */
const TRACKER = 8
/** How far the runtime's fields are looked through for it, in words. */
const FIELDS = 128

export interface EngineOptions {
  readonly module: WebAssembly.Module
  /** Of all of the guest's memory, and the engine's own: it tells what it takes. */
  readonly budget: MemoryBudget
  readonly stackBytes: number
  /** The guest's clock, in ms. */
  readonly now: () => number
  /** Asked now and then while the guest runs, with the jumps and calls since it was asked: true stops it, and it cannot catch that. */
  readonly interrupt: (passed: number) => boolean
}

/** An engine for one program. It is never disposed: its memory goes when nothing refers to it. */
export interface Engine {
  readonly context: QuickJSContext
  readonly runtime: QuickJSRuntime
  /** Promises that were rejected, and that nobody has handled; the engine's own, which come of modules that fail, are dropped when it is told. */
  readonly rejections: Pick<Rejections, 'take' | 'importFailed' | 'evaluated'>
  /** The library does not ask: it would write over what lies at the beginning of the memory. */
  hasRoom(bytes: number): boolean
}

/** Something is to go into the engine's memory that does not fit. */
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
    // Bundlers let a package be missing whose import is caught right there.
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

/** A new instance with a memory of its own. */
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
      // The clock, and what `patch-rejections.ts` tells.
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
      // It was only asked.
      else budget.refused = refused
      return at !== 0
    },
  }
}

/** The library asks for more by `grow`, and takes an error as an answer: the program is told that there is none. */
function createMemory(budget: MemoryBudget): WebAssembly.Memory {
  const maximum = Math.max(FIRST_PAGES, Math.floor(budget.maxBytes / PAGE))
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum })
  const grow = memory.grow.bind(memory)
  budget.engine = memory.buffer.byteLength
  memory.grow = (pages) => {
    if (pages * PAGE > bytesLeft(budget)) {
      // It asks for less and less, thrice; what is refused of more than its spare may have been one large thing.
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

/** The one field that setting the interrupt handler has changed tells where the tracker's is. */
function track(runtime: QuickJSRuntime, memory: WebAssembly.Memory, before: Int32Array, place: number): void {
  const fields = new Int32Array(memory.buffer, addressOf(runtime), FIELDS)
  const changed = [...fields.keys()].filter((index) => fields[index] !== before[index])
  const [handler] = changed
  if (changed.length === 1 && handler !== undefined && fields[handler + TRACKER / 4] === 0) fields[handler + TRACKER / 4] = place
}

/** What `patch-rejections.ts` tells comes in three calls. */
function listenTo(tracker: () => Heard | undefined): (mark: number, value: bigint) => void {
  let [promise, reason] = [0n, 0n]
  return (mark, value) => {
    if (mark === TELLS.promise) promise = value
    else if (mark === TELLS.reason) reason = value
    else if (value === 0n) tracker()?.rejected(promise, reason)
    else tracker()?.handled(promise)
  }
}

/** As the engine is built: jumps and calls between two questions whether to go on. */
const BUILT_IN = 10_000
/** So many of them may each throw out of a deep stack, or search a long text: 10,000 would be seconds. A question takes 0.2 µs. */
const OFTEN = 250
/** Between two questions while each of them is slow. */
const SELDOM_MS = 5
const SLOW = 10
/** How far the context's fields are looked through for the counter, in words. */
const CONTEXT_FIELDS = 128

/** Has the engine ask more often. */
interface Pace {
  /** Called at each question: the jumps and calls since the last one. */
  passed(): number
}

/** @param context address of the engine's context, which counts down to the next question */
function createPace(memory: WebAssembly.Memory, context: number): Pace {
  let place: number | undefined
  let next = BUILT_IN
  let last = performance.now()
  let words = new Int32Array(memory.buffer)
  return {
    passed() {
      const now = performance.now()
      const done = next
      // The view is gone when the memory has grown.
      if (words.length === 0) words = new Int32Array(memory.buffer)
      place ??= placeOf(words, context / 4)
      if (place !== undefined) words[place] = next = now - last > SELDOM_MS ? SLOW : OFTEN
      last = now
      return done
    },
  }
}

/** The engine has just set its counter. A pattern that is matched has one of its own: then it is looked for again. */
function placeOf(words: Int32Array, from: number): number | undefined {
  // A search of the words as they are would go through all of the memory.
  const fields = words.subarray(from, from + CONTEXT_FIELDS)
  const found = fields.indexOf(BUILT_IN)
  return found < 0 || fields.indexOf(BUILT_IN, found + 1) >= 0 ? undefined : from + found
}
