import {
  type Cassette,
  type CassetteOptions,
  type CassetteStorage,
  createTestRuntime,
  openCassette,
  type TestRuntime,
  type TestRuntimeOptions,
} from 'toolport/testing'

/** A cassette storage in memory. */
export function kept(text?: string): CassetteStorage & { text: string | undefined } {
  return {
    text,
    async read() {
      return this.text
    },
    async write(written) {
      this.text = written
    },
  }
}

/** The parsed lines of a cassette. */
export const lines = ({ text }: { readonly text: string | undefined }): Record<string, unknown>[] =>
  (text ?? '')
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '{"end":true}')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** Runs `body` with a runtime on the cassette. Returns the calls, files and mode, and the value of `body`. */
export async function run(
  storage: CassetteStorage,
  body: (test: TestRuntime, cassette: Cassette) => Promise<unknown>,
  options: TestRuntimeOptions = {},
  mode: CassetteOptions = {},
): Promise<{ readonly calls: TestRuntime['calls']; readonly files: object; readonly mode: string; readonly value: unknown }> {
  const cassette = await openCassette(storage, mode)
  const test = createTestRuntime({ ...options, cassette })
  const value = await body(test, cassette)
  const files = await test.files()
  await test.runtime.dispose()
  await cassette.close()
  return { calls: test.calls, files, mode: cassette.mode, value }
}
