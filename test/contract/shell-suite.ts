import type { ShellAdapter } from '../../src/types/shell.js'
import type { Workspace } from '../../src/types/workspace.js'
import type { TestRunner } from './runner.js'
import { seed } from './shell/case.js'
import { type CaseGroup, registerSuite, type Suite, type SuiteOptions, selectCases } from './suite.js'

/** A shell and the workspace whose tree it sees. */
export interface ShellUnderTest {
  readonly shell: ShellAdapter
  readonly workspace: Workspace
}

/** Options of `shellContract` and `sessionContract`. */
export interface ShellSuiteOptions<Part extends string> extends SuiteOptions<ShellUnderTest, Part> {
  /** Makes a new shell of dialect bash over a new, empty workspace on a real host for each case. The suite writes its own files. */
  create(): ShellUnderTest | Promise<ShellUnderTest>
  /** Cleans up after each case, even after a failure. Default: closes the shell, then the workspace. */
  dispose?(made: ShellUnderTest): void | Promise<void>
}

export interface ShellSuite<Part extends string, Case> extends Pick<Suite<ShellUnderTest, Part, Case>, 'kind' | 'missingParts' | 'run'> {
  readonly groups: readonly CaseGroup<Part, Case>[]
}

async function close({ shell, workspace }: ShellUnderTest): Promise<void> {
  await shell.close?.()
  await workspace.close()
}

/** Registers the cases of a suite. Each case runs over a workspace that holds the seed. */
export function registerShellSuite<Part extends string, Case>(
  runner: TestRunner,
  { groups, ...suite }: ShellSuite<Part, Case>,
  options: ShellSuiteOptions<Part>,
): void {
  const cases = selectCases(groups, options.without)
  registerSuite(runner, { ...suite, cases, prepare: ({ workspace }) => seed(workspace), dispose: close }, options)
}
