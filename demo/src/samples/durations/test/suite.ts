// A test runner of forty lines: tests are functions in a list.
interface Test {
  readonly name: string
  readonly body: () => void
}

const tests: Test[] = []

export function test(name: string, body: () => void): void {
  tests.push({ name, body })
}

export function equal(actual: unknown, expected: unknown): void {
  if (!Object.is(actual, expected)) throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`)
}

/** Expects an error with this in its message. */
export function throws(body: () => unknown, part: string): void {
  let result: unknown
  try {
    result = body()
  } catch (error) {
    const { message } = error as Error
    if (message.includes(part)) return
    throw new Error(`expected an error with ${JSON.stringify(part)}, got ${JSON.stringify(message)}`)
  }
  throw new Error(`expected an error, got ${JSON.stringify(result)}`)
}

/** Runs them all, prints what fails, and says whether nothing did. */
export function runTests(): boolean {
  let failed = 0
  for (const { name, body } of tests) {
    try {
      body()
    } catch (error) {
      failed += 1
      console.log(`FAIL  ${name}\n      ${(error as Error).message}`)
    }
  }
  console.log(failed === 0 ? `${tests.length} tests passed` : `${failed} of ${tests.length} tests failed`)
  return failed === 0
}
