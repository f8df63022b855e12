import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSSyncVariant } from 'quickjs-emscripten-core'
import { placeInTable, TELLS } from './patch.js'
import { unavailable } from './wasm.js'

const PAGE = 65_536
/** What the engine's build asks for at the least. */
const FIRST_PAGES = 256
/** From the field of the runtime's interrupt handler to that of its rejection tracker, in bytes. */
const TRACKER = 8
/** How far the runtime's fields are looked through for it, in words. */
const FIELDS = 128

export interface EngineOptions {
  readonly module: WebAssembly.Module
  /** All of the guest's memory, and the engine's own. */
  readonly memoryBytes: number
  readonly stackBytes: number
  /** The guest's clock, in ms. */
  readonly now: () => number
  /** Asked now and then while the guest runs: true stops it, and it cannot catch that. */
  readonly interrupt: () => boolean
}

export interface Rejection {
  readonly promise: QuickJSHandle
  readonly reason: QuickJSHandle
}

/** An engine for one program. It is never disposed: its memory goes when nothing refers to it. */
export interface Engine {
  readonly context: QuickJSContext
  readonly runtime: QuickJSRuntime
  memoryBytes(): number
  /** Promises that were rejected since the last call, and that nobody has handled. */
  rejections(): Rejection[]
}

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
    const [core, variant] = await Promise.all([import('quickjs-emscripten-core'), import('@jitl/quickjs-wasmfile-release-sync')])
    return { core, variant: variant.default as unknown as QuickJSSyncVariant }
  } catch (cause) {
    throw unavailable(cause)
  }
}

export interface Library {
  readonly core: typeof import('quickjs-emscripten-core')
  readonly variant: QuickJSSyncVariant
}

/** A new instance with a memory of its own. */
export async function createEngine({ core, variant }: Library, options: EngineOptions): Promise<Engine> {
  const { module, memoryBytes, stackBytes, now, interrupt } = options
  const maximum = Math.max(FIRST_PAGES, Math.floor(memoryBytes / PAGE))
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum })
  const place = placeInTable(module)
  let tracker: ReturnType<typeof createRejections> | undefined
  const tell = listenTo(() => tracker)
  const emscripten: Emscripten = {
    wasmMemory: memory,
    print: () => undefined,
    printErr: () => undefined,
    instantiateWasm(imports, done) {
      const own = imports.a
      const localtime = own.m as (time: bigint, at: number) => void
      // The clock, and what `patch.ts` tells.
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
  runtime.setInterruptHandler(interrupt)
  if (before && place !== undefined) track(runtime, memory, before, place)
  const context = runtime.newContext()
  tracker = createRejections(context, memory)
  return { context, runtime, memoryBytes: () => memory.buffer.byteLength, rejections: () => tracker?.take() ?? [] }
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

interface Inner {
  readonly ctx: { readonly value: number }
  readonly ffi: { QTS_DupValuePointer(context: number, pointer: number): number }
  readonly memory: { heapValueHandle(pointer: number): QuickJSHandle }
  readonly module: { _malloc(size: number): number }
}

interface Heard {
  rejected(promise: bigint, reason: bigint): void
  handled(promise: bigint): void
}

/** Promises that nobody has handled so far. They are held: else they would be gone, and their addresses be those of others. */
function createRejections(context: QuickJSContext, memory: WebAssembly.Memory): Heard & { take(): Rejection[] } {
  const { ctx, ffi, memory: values, module } = context as unknown as Inner
  const cell = module._malloc(8)
  const open = new Map<bigint, Rejection>()
  let done: Rejection[] = []
  const held = (value: bigint): QuickJSHandle => {
    new DataView(memory.buffer).setBigInt64(cell, value, true)
    return values.heapValueHandle(ffi.QTS_DupValuePointer(ctx.value, cell))
  }
  return {
    rejected(promise, reason) {
      open.set(promise, { promise: held(promise), reason: held(reason) })
    },
    handled(promise) {
      const found = open.get(promise)
      open.delete(promise)
      // Later: it is in use.
      if (found) done.push(found)
    },
    take() {
      for (const { promise, reason } of done) {
        promise.dispose()
        reason.dispose()
      }
      done = []
      const taken = [...open.values()]
      open.clear()
      return taken
    },
  }
}

/** What `patch.ts` tells comes in three calls. */
function listenTo(tracker: () => Heard | undefined): (mark: number, value: bigint) => void {
  let [promise, reason] = [0n, 0n]
  return (mark, value) => {
    if (mark === TELLS.promise) promise = value
    else if (mark === TELLS.reason) reason = value
    else if (value === 0n) tracker()?.rejected(promise, reason)
    else tracker()?.handled(promise)
  }
}
