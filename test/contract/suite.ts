import { ContractError, same, type TestRunner } from './runner.js'

/** Cases by title. They run for adapters that have all parts of `needs` and none of `lacks`. */
export interface CaseGroup<Part extends string, Case> {
  readonly needs?: readonly Part[]
  readonly lacks?: readonly Part[]
  readonly cases: Readonly<Record<string, Case>>
}

/** Options of a suite whose adapters may lack parts. `Made`: what each case receives. */
export interface SuiteOptions<Made, Part extends string> {
  /** The name of the suite. */
  readonly name: string
  /** Creates the value that a case receives. Called once for each case. */
  create(): Made | Promise<Made>
  /** Optional parts that the adapter lacks. The suite omits their cases, and one case checks that this list is exact. */
  readonly without?: readonly Part[]
  /** Maps the title of a case that the adapter cannot pass to the reason. The suite runs the case and expects a failure. */
  readonly except?: Readonly<Record<string, string>>
  /** Cleans up after each case, even after a failure. */
  dispose?(made: Made): void | Promise<void>
}

export interface Suite<Made, Part extends string, Case> {
  readonly kind: string
  readonly cases: ReadonlyMap<string, Case>
  /** The parts that the adapter lacks, sorted. */
  missingParts(made: Made): Part[] | Promise<Part[]>
  /** Prepares a case. A failure of this step does not count as the expected failure of an excepted case. */
  prepare?(made: Made): Promise<void>
  run(test: Case, made: Made): Promise<void>
  dispose(made: Made): void | Promise<void>
}

/** Selects the cases for an adapter without these parts. `titles`: titles of other cases. @throws {ContractError} for a title that occurs twice */
export function selectCases<Part extends string, Case>(
  groups: readonly CaseGroup<Part, Case>[],
  without: readonly Part[] = [],
  titles: Set<string> = new Set(),
): Map<string, Case> {
  const selected = new Map<string, Case>()
  for (const { needs = [], lacks = [], cases } of groups) {
    if (needs.some((part) => without.includes(part)) || !lacks.every((part) => without.includes(part))) continue
    for (const [title, test] of Object.entries(cases)) {
      if (titles.has(title)) throw new ContractError(`Two cases have the title "${title}"`)
      titles.add(title)
      selected.set(title, test)
    }
  }
  return selected
}

async function isMet(run: () => Promise<void>): Promise<boolean> {
  try {
    await run()
    return true
  } catch {
    // The reason for the failure is in the option `except`.
    return false
  }
}

/** Registers the cases of a suite with a test framework. */
export function registerSuite<Made, Part extends string, Case>(
  runner: TestRunner,
  suite: Suite<Made, Part, Case>,
  { name, create, without = [], except = {}, dispose = suite.dispose }: SuiteOptions<Made, Part>,
): void {
  const withMade = async (body: (made: Made) => Promise<void>): Promise<void> => {
    const made = await create()
    try {
      await body(made)
    } finally {
      await dispose(made)
    }
  }
  const prepared = (body: (made: Made) => Promise<void>): Promise<void> =>
    withMade(async (made) => {
      await suite.prepare?.(made)
      await body(made)
    })
  runner.describe(`${suite.kind} contract: ${name}`, () => {
    runner.it('lacks exactly the optional parts in "without"', () =>
      withMade(async (made) => same(await suite.missingParts(made), [...without].sort(), 'the missing parts')),
    )
    runner.it('every exception names a case', () => {
      const unknown = Object.keys(except).filter((title) => !suite.cases.has(title))
      same(unknown, [], 'exceptions that name no case')
    })
    for (const [title, test] of suite.cases) {
      if (!Object.hasOwn(except, title)) {
        runner.it(title, () => prepared((made) => suite.run(test, made)))
        continue
      }
      runner.it(`${title} (excepted: ${except[title]})`, () =>
        prepared(async (made) => {
          if (await isMet(() => suite.run(test, made))) throw new ContractError(`The case "${title}" passes: remove it from "except"`)
        }),
      )
    }
  })
}
