import {
  type Cassette,
  type CassetteOptions,
  type CassetteStorage,
  createTestRuntime,
  openCassette,
  type TestRuntime,
  type TestRuntimeOptions,
} from 'toolport/testing'

/** Keeps a cassette in memory. */
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

/** The lines of a cassette, without the end. */
export const lines = ({ text }: { readonly text: string | undefined }): Record<string, unknown>[] =>
  (text ?? '')
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '{"end":true}')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** Runs a body over a runtime on the cassette; then all that came of it. */
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
