import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import { createModuleRejections, type Heard } from './module-rejections.js'

export interface Rejection {
  readonly promise: QuickJSHandle
  readonly reason: QuickJSHandle
}

/** Collects unhandled rejections. Keeps a reference to each promise, because another promise could reuse the address of a freed one. */
export interface Rejections extends Heard {
  take(): Rejection[]
  /** Call when an import has failed. `first`: no earlier import has failed with this error. */
  importFailed(reason: QuickJSHandle, first: boolean): void
  /** Calls `evaluate`, which evaluates a module synchronously. If this fails, drops the rejections that the engine itself causes. */
  evaluated<T extends { readonly error?: QuickJSHandle | undefined }>(evaluate: () => T): T
}

interface Held extends Rejection {
  readonly bits: bigint
}

interface Inner {
  readonly ctx: { readonly value: number }
  readonly ffi: { QTS_DupValuePointer(context: number, pointer: number): number }
  readonly memory: { heapValueHandle(pointer: number): QuickJSHandle }
  readonly module: { _malloc(size: number): number }
}

export function createRejections(context: QuickJSContext, memory: WebAssembly.Memory): Rejections {
  const { ctx, ffi, memory: values, module } = context as unknown as Inner
  const cell = module._malloc(8)
  const open = new Map<bigint, Held>()
  const ofModules = createModuleRejections()
  let done: Rejection[] = []
  const held = (value: bigint): QuickJSHandle => {
    new DataView(memory.buffer).setBigInt64(cell, value, true)
    return values.heapValueHandle(ffi.QTS_DupValuePointer(ctx.value, cell))
  }
  const bitsOf = (handle: QuickJSHandle): bigint =>
    new DataView(memory.buffer).getBigInt64((handle as unknown as { readonly value: number }).value, true)
  const drop = (promise: bigint): void => {
    const found = open.get(promise)
    open.delete(promise)
    // Dispose of the promise later, because the engine still uses it.
    if (found) done.push(found)
  }
  const lastWith = (bits: bigint): bigint | undefined => [...open].findLast(([, rejection]) => rejection.bits === bits)?.[0]
  return {
    rejected(promise, reason) {
      open.set(promise, { promise: held(promise), reason: held(reason), bits: reason })
      ofModules.rejected(promise, reason)
    },
    handled(promise) {
      ofModules.handled(promise)
      drop(promise)
    },
    importFailed(reason, first) {
      const bits = bitsOf(reason)
      const found = ofModules.take(bits) ?? (first ? lastWith(bits) : undefined)
      if (found !== undefined) drop(found)
    },
    evaluated(evaluate) {
      ofModules.forget()
      const result = evaluate()
      if (result.error) for (const promise of ofModules.latest(bitsOf(result.error))) drop(promise)
      return result
    },
    take() {
      for (const { promise, reason } of done) {
        promise.dispose()
        reason.dispose()
      }
      done = []
      ofModules.clear()
      const taken = [...open.values()]
      open.clear()
      return taken
    },
  }
}
