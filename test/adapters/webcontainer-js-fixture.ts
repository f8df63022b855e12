import type { JsResult, JsRunOptions } from 'toolport'
import { type JsInContainer, jsInContainer } from './webcontainer-disk.js'

/** A new container for each test. */
export let made: JsInContainer

export function freshContainer(): void {
  made = jsInContainer()
}

export const cleanUp = (): Promise<void> => dispose(made)

export async function dispose({ js, container }: JsInContainer): Promise<void> {
  await js.close?.()
  container.dispose()
}

export function run(program: JsRunOptions, { js }: JsInContainer = made): Promise<JsResult> {
  return js.run({ timeoutMs: 60_000, ...program })
}

/** The error that the promise rejects with, or undefined. */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  )
}
