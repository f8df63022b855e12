import { FsError, type FsErrorCode } from '../../src/errors/index.js'
import { required } from '../../src/errors/required.js'

/** The part of a test framework that a contract suite needs. The functions of Vitest, Jest and `node:test` fit without changes. */
export interface TestRunner {
  describe(name: string, body: () => void): void
  it(name: string, body: () => void | Promise<void>): void
}

/** @throws {TypeError} if the runner, `name` or `create` is missing */
export function checkContract(call: string, runner: TestRunner, options: { readonly name: string; readonly create: unknown }): void {
  required(call, 'the runner { describe, it } of your tests', runner, 'describe')
  required(call, 'the option "name", what is tested', options?.name)
  required(call, 'the option "create", a function that makes a new one', options.create)
}

/** Thrown if the adapter does not meet an expectation of a contract. */
export class ContractError extends Error {
  override readonly name = 'ContractError'
}

function show(value: unknown): string {
  if (value instanceof Uint8Array) return `${value.length} bytes [${[...value.subarray(0, 16)].join(' ')}${value.length > 16 ? ' …' : ''}]`
  if (value instanceof Error) return String(value)
  return JSON.stringify(value) ?? String(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (a instanceof Uint8Array && b instanceof Uint8Array) return isSameBytes(a, b)
  if (!isRecord(a) || !isRecord(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
}

/** Fails with `message` unless the condition holds. */
export function ok(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ContractError(message)
}

/** Compares with `Object.is`. */
export function equal(actual: unknown, expected: unknown, what = 'value'): void {
  ok(Object.is(actual, expected), `Expected ${what} to be ${show(expected)}, got ${show(actual)}`)
}

/** Compares plain data and byte arrays in depth. */
export function same(actual: unknown, expected: unknown, what = 'value'): void {
  ok(isSame(actual, expected), `Expected ${what} to be ${show(expected)}, got ${show(actual)}`)
}

/** Expects a rejection with an `FsError` of this code, whose message begins with the code. Returns the error for further checks. */
export async function rejects(promise: Promise<unknown>, code: FsErrorCode): Promise<FsError> {
  const error = await promise.then(
    (value) => new ContractError(`Expected ${code}, but the call resolved to ${show(value)}`),
    (reason: unknown) => reason,
  )
  if (error instanceof ContractError) throw error
  ok(FsError.is(error), `Expected an FsError with code ${code}, got ${show(error)}`)
  ok(error.code === code, `Expected code ${code}, got ${show(error)}`)
  ok(error.message.startsWith(`${code}: `), `Expected a message that begins with "${code}: ", got ${show(error.message)}`)
  return error
}

/** Waits until all promises are settled. `done`: number of fulfilled promises. `codes`: error codes of the rejected ones, sorted. */
export async function settle(promises: readonly Promise<unknown>[]): Promise<{ readonly done: number; readonly codes: readonly string[] }> {
  const codes: string[] = []
  let done = 0
  for (const result of await Promise.allSettled(promises)) {
    if (result.status === 'fulfilled') done++
    else codes.push(FsError.is(result.reason) ? result.reason.code : String(result.reason))
  }
  return { done, codes: codes.sort() }
}
