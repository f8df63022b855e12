import type { ShellError } from '../../../src/errors/index.js'
import type { ShellAdapter, ShellExecOptions, ShellOutput, ShellResult } from '../../../src/types/shell.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { ContractError, equal, ok, same } from '../runner.js'
import type { CaseGroup } from '../suite.js'

/** A part of the port that an adapter may lack. `processes`: `can.hardKill` for real processes, whose `pid` `spawn` returns. */
export type ShellPart = 'close' | 'processes'

/** What each case receives: a shell over a workspace that contains only the seed. */
export interface ShellStage {
  readonly shell: ShellAdapter
  readonly workspace: Workspace
  /** `shell.exec` with a timeout, so that a command that never ends fails its case. */
  run(command: string, options?: ShellExecOptions): Promise<ShellResult>
}

export type ShellCase = (stage: ShellStage) => Promise<void>

export type ShellCaseGroup = CaseGroup<ShellPart, ShellCase>

/** Long enough for a slow machine, because only a failing case waits that long. */
export const FALLBACK_MS = 30_000

/** The files that exist at the start of every case. */
export const SEED: Readonly<Record<string, string>> = {
  'fruit.txt': 'banana\napple\ncherry\napple\n',
  'people.csv': 'name,age,city\nAda,36,London\nBob,25,Paris\nCara,41,London\n',
  'empty.txt': '',
  '.hidden': 'secret\n',
  'src/main.ts': "import { add } from './add.js'\n\n// TODO: more\nconsole.log(add(1, 2))\n",
  'src/add.ts': 'export const add = (a: number, b: number): number => a + b\n',
  'docs/read me.md': '# Notes\n\nTODO: write them\n',
}

export async function seed(workspace: Workspace): Promise<void> {
  for (const [path, text] of Object.entries(SEED)) await workspace.writeText(path, text)
}

/** Formats the whole result of a failed command for a message. */
export function told(result: ShellResult): string {
  const cut = (text: string): string => (text.length > 400 ? `${text.slice(0, 400)} …` : text)
  return `exit ${result.exitCode}, timedOut ${result.timedOut}, aborted ${result.aborted}, stdout ${JSON.stringify(cut(result.stdout))}, stderr ${JSON.stringify(cut(result.stderr))}`
}

/** Expects that the command ended by itself with exit code 0, wrote exactly `stdout`, and nothing to stderr. */
export function printed(result: ShellResult, stdout: string): void {
  ok(
    result.stdout === stdout && result.stderr === '' && result.exitCode === 0 && !result.timedOut && !result.aborted,
    `Expected exit 0 with stdout ${JSON.stringify(stdout)}, got ${told(result)}`,
  )
}

/** Expects that the command was stopped from outside, either by its timeout or by an abort. */
export function stopped(result: ShellResult, by: 'timedOut' | 'aborted'): void {
  same(
    { exitCode: result.exitCode, timedOut: result.timedOut, aborted: result.aborted },
    { exitCode: null, timedOut: by === 'timedOut', aborted: by === 'aborted' },
    `the end of a command that was ${by === 'timedOut' ? 'timed out' : 'aborted'} (${told(result)})`,
  )
}

export async function fileHas(workspace: Workspace, path: string, text: string): Promise<void> {
  equal((await workspace.readText(path)).text, text, `the content of "${path}"`)
}

export async function fileIsAbsent(workspace: Workspace, path: string): Promise<void> {
  equal(await workspace.exists(path), false, `whether "${path}" is there`)
}

/** Expects a rejection with a `ShellError` of this code. */
export async function rejectsShell(promise: Promise<unknown>, code: ShellError['code']): Promise<void> {
  const reason = await promise.then(
    () => new ContractError(`Expected ShellError ${code}, but the call resolved`),
    (error: unknown) => error,
  )
  if (reason instanceof ContractError) throw reason
  const error = reason as Partial<ShellError> | undefined
  ok(error?.name === 'ShellError' && error.code === code, `Expected ShellError ${code}, got ${String(reason)}`)
}

/**
 * Timeouts for a command that is stopped while it runs, milliseconds. On a busy machine, the command may start only after the shorter one.
 */
const GROWING_MS = [300, 3000]
const LONGEST_MS = 20_000

/**
 * Calls `attempt` with growing timeouts until `isFarEnough` accepts the result. Returns that result, or the result with the longest
 * timeout.
 */
export async function withGrowingTime<T>(attempt: (ms: number) => Promise<T>, isFarEnough: (result: T) => boolean): Promise<T> {
  for (const ms of GROWING_MS) {
    const result = await attempt(ms)
    if (isFarEnough(result)) return result
  }
  return attempt(LONGEST_MS)
}

/**
 * A command that waits until a file exists. It waits at most about 10 s, so that a shell that reports no output in between does not hang.
 */
export const untilThere = (path: string): string => `for i in {1..200}; do [ -e ${path} ] && break; sleep 0.05; done`

/** Collects the output passed to `onOutput`. */
export class Listener {
  readonly pieces: ShellOutput[] = []
  readonly #waiting: { readonly text: string; readonly heard: () => void }[] = []

  readonly onOutput = (output: ShellOutput): void => {
    this.pieces.push(output)
    for (const { text, heard } of this.#waiting) if (this.text(output.stream).includes(text)) heard()
  }

  text(stream: ShellOutput['stream']): string {
    return this.pieces.reduce((text, piece) => (piece.stream === stream ? text + piece.text : text), '')
  }

  /** Resolves when one of the streams contains `text`. */
  heard(text: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ text, heard: resolve }))
  }
}

/** Runs a command, and aborts it by a timer once it has printed `text`. Returns the result, which must be that of an abort. */
export async function abortAfter(stage: ShellStage, text: string, command: string, options: ShellExecOptions = {}): Promise<ShellResult> {
  const controller = new AbortController()
  const listener = new Listener()
  const running = stage.run(command, { ...options, signal: controller.signal, onOutput: listener.onOutput })
  const stop = listener
    .heard(text)
    .then(() => stage.workspace.host.sleep(20))
    .then(() => controller.abort())
  const result = await running
  ok(listener.text('stdout').includes(text), `Expected to hear ${JSON.stringify(text)} while the command runs, got ${told(result)}`)
  await stop
  stopped(result, 'aborted')
  return result
}

/** Runs an endless command, with a timeout after it has printed `text`. Returns the result, which must be that of a timeout. */
export async function timeoutAfter(stage: ShellStage, text: string, command: string, options: ShellExecOptions = {}): Promise<ShellResult> {
  const attempt = async (timeoutMs: number): Promise<{ readonly result: ShellResult; readonly heard: string }> => {
    const listener = new Listener()
    const result = await stage.run(command, { ...options, timeoutMs, onOutput: listener.onOutput })
    stopped(result, 'timedOut')
    return { result, heard: listener.text('stdout') }
  }
  const { result, heard } = await withGrowingTime(attempt, ({ heard }) => heard.includes(text))
  ok(heard.includes(text), `Expected to hear ${JSON.stringify(text)} before the timeout, got ${told(result)}`)
  return result
}
