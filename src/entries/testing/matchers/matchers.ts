import type { CassetteStorage } from '../cassette/cassette.js'
import { type ExpectedCall, toHaveCalled, toHaveCalledAll, toHaveCalledInOrder, toHaveNeverCalled, type WithCalls } from './calls.js'
import {
  type ExpectedFiles,
  type SnapshotOptions,
  toHaveChanged,
  toMatchFiles,
  toMatchWorkspaceSnapshot,
  type WithFiles,
  type WithStart,
} from './files.js'
import type { Expected, MatcherResult } from './match.js'

/** For `expect.extend(matchers)` of Vitest and Jest. */
export const matchers: {
  toMatchFiles: typeof toMatchFiles
  toHaveChanged: typeof toHaveChanged
  toHaveCalled: typeof toHaveCalled
  toHaveNeverCalled: typeof toHaveNeverCalled
  toHaveCalledInOrder: typeof toHaveCalledInOrder
  toHaveCalledAll: typeof toHaveCalledAll
  toMatchWorkspaceSnapshot: typeof toMatchWorkspaceSnapshot
} = {
  toMatchFiles,
  toHaveChanged,
  toHaveCalled,
  toHaveNeverCalled,
  toHaveCalledInOrder,
  toHaveCalledAll,
  toMatchWorkspaceSnapshot,
}

/** The methods that `matchers` adds to `expect(...)`. Extend the test runner's interface with it. */
export interface ToolportMatchers<Result = unknown> {
  toMatchFiles(expected: ExpectedFiles): Promise<void>
  toHaveChanged(expected: ExpectedFiles | readonly string[]): Promise<void>
  toHaveCalled(tool: string, input?: Expected): Result
  toHaveNeverCalled(tool: string, input?: Expected): Result
  toHaveCalledInOrder(expected: readonly ExpectedCall[]): Result
  toHaveCalledAll(expected: readonly ExpectedCall[]): Result
  toMatchWorkspaceSnapshot(snapshot: string | CassetteStorage, options?: SnapshotOptions): Promise<void>
}

function check({ pass, message, actual, expected }: MatcherResult): void {
  if (pass) return
  const error = Object.assign(new Error(message()), { actual, expected })
  error.name = 'AssertionError'
  throw error
}

/** The matchers as functions that throw an `AssertionError`, for `node:test` and plain programs. */
export const assertions = {
  toMatchFiles: async (subject: WithFiles, expected: ExpectedFiles): Promise<void> => check(await toMatchFiles(subject, expected)),
  toHaveChanged: async (subject: WithStart, expected: ExpectedFiles | readonly string[]): Promise<void> =>
    check(await toHaveChanged(subject, expected)),
  toHaveCalled: (subject: WithCalls, tool: string, input?: Expected): void => check(toHaveCalled(subject, tool, input)),
  toHaveNeverCalled: (subject: WithCalls, tool: string, input?: Expected): void => check(toHaveNeverCalled(subject, tool, input)),
  toHaveCalledInOrder: (subject: WithCalls, expected: readonly ExpectedCall[]): void => check(toHaveCalledInOrder(subject, expected)),
  toHaveCalledAll: (subject: WithCalls, expected: readonly ExpectedCall[]): void => check(toHaveCalledAll(subject, expected)),
  toMatchWorkspaceSnapshot: async (subject: WithFiles, snapshot: string | CassetteStorage, options?: SnapshotOptions): Promise<void> =>
    check(await toMatchWorkspaceSnapshot(subject, snapshot, options)),
}
