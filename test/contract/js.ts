import type { JsAdapter } from '../../src/types/js.js'
import type { Workspace } from '../../src/types/workspace.js'
import { JS_PROGRAMS } from './js-programs.js'
import { checkContract, equal, ok, type TestRunner } from './runner.js'
import { withGrowingTime } from './shell/case.js'

/** An adapter and the workspace whose tree its programs see. */
export interface JsUnderTest {
  readonly js: JsAdapter
  readonly workspace: Workspace
}

/** Options of `jsContract`. */
export interface JsContractOptions {
  /** The name of the suite. */
  readonly name: string
  /** Makes a new adapter over a new, empty workspace for each case. The suite writes its own files. */
  create(): JsUnderTest | Promise<JsUnderTest>
  /** Maps the title of a case that the adapter cannot pass to the reason. The suite runs the case and expects a failure. */
  readonly except?: Readonly<Record<string, string>>
  /** Maps the title of a case that would never return to the reason. The suite does not run the case. */
  readonly skip?: Readonly<Record<string, string>>
  /** Cleans up after each case, even after a failure. Default: closes the adapter, then the workspace. */
  dispose?(made: JsUnderTest): void | Promise<void>
}

/** Timeout for a program that hangs; no other program takes this long. */
const FALLBACK_MS = 60_000

type Case = (made: JsUnderTest) => Promise<void>

const programCases: readonly (readonly [string, Case])[] = JS_PROGRAMS.map((program) => [
  program.name,
  async ({ js, workspace }) => {
    for (const [path, content] of Object.entries(program.files)) await workspace.writeText(path, content)
    const { entry, args, env, stdin } = program
    const result = await js.run({
      entry,
      timeoutMs: FALLBACK_MS,
      ...(args && { args }),
      ...(env && { env }),
      ...(stdin !== undefined && { stdin }),
    })
    ok(!result.timedOut, `it did not end in time; it has printed ${JSON.stringify(result.stdout)}`)
    equal(result.stdout, program.stdout, `stdout (stderr ${JSON.stringify(result.stderr)})`)
    equal(result.exitCode, program.exitCode, `exit code (stderr ${JSON.stringify(result.stderr)})`)
  },
])

const ownCases: readonly (readonly [string, Case])[] = [
  [
    'gives the default export of the program',
    async ({ js }) => {
      const { result, exitCode } = await js.run({ code: 'export default { a: [1, "two", null] }', timeoutMs: FALLBACK_MS })
      equal(JSON.stringify(result), '{"a":[1,"two",null]}', 'result')
      equal(exitCode, 0, 'exit code')
    },
  ],
  [
    'ends a program at its time, keeps what it has printed, and runs the next one',
    async ({ js }) => {
      // An empty program first, so that the start of the engine does not count for the timeout below.
      await js.run({ code: '', timeoutMs: FALLBACK_MS })
      const { timedOut, exitCode, stdout } = await withGrowingTime(
        (timeoutMs) => js.run({ code: 'console.log("begun"); for (;;);', timeoutMs }),
        (result) => result.stdout !== '',
      )
      equal(timedOut, true, 'timedOut')
      equal(exitCode, null, 'exit code')
      equal(stdout, 'begun\n', 'stdout')
      equal((await js.run({ code: 'console.log("next")', timeoutMs: FALLBACK_MS })).stdout, 'next\n', 'stdout of the next')
    },
  ],
  [
    'ends a program that waits, when its signal aborts',
    async ({ js }) => {
      const controller = new AbortController()
      const running = js.run({
        code: 'console.log("begun"); setInterval(() => {}, 1000)',
        signal: controller.signal,
        onOutput: () => controller.abort(),
        timeoutMs: FALLBACK_MS,
      })
      const { aborted, timedOut, exitCode } = await running
      equal(aborted, true, 'aborted')
      equal(timedOut, false, 'timedOut')
      equal(exitCode, null, 'exit code')
    },
  ],
  [
    'writes files that the workspace has',
    async ({ js, workspace }) => {
      const { stderr } = await js.run({ code: 'import fs from "node:fs"; fs.writeFileSync("made.txt", "content")', timeoutMs: FALLBACK_MS })
      equal(stderr, '', 'stderr')
      equal((await workspace.readText('made.txt')).text, 'content', 'content')
    },
  ],
]

/** Registers the cases that every `JsAdapter` must pass: programs print the same as in Node. */
export function jsContract(runner: TestRunner, options: JsContractOptions): void {
  checkContract('jsContract', runner, options)
  const { name, create, except = {}, skip = {}, dispose = close } = options
  runner.describe(`${name}: js contract`, () => {
    for (const [title, test] of [...programCases, ...ownCases]) {
      if (Object.hasOwn(skip, title)) continue
      runner.it(title, async () => {
        const made = await create()
        try {
          const failed = await test(made).then(
            () => undefined,
            (error: unknown) => error ?? new Error('it failed'),
          )
          const reason = Object.hasOwn(except, title) ? except[title] : undefined
          if (reason === undefined && failed) throw failed
          if (reason !== undefined && !failed) throw new Error(`It passes, so remove it from the exceptions (${reason})`)
        } finally {
          await dispose(made)
        }
      })
    }
  })
}

async function close({ js, workspace }: JsUnderTest): Promise<void> {
  await js.close?.()
  await workspace.close()
}
