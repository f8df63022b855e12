import { ShellError, UnsupportedError } from '../../../src/errors/index.js'
import type { ShellExecOptions, ShellResult } from '../../../src/types/shell.js'
import { createOutputBuffer, type OutputBuffer } from '../../shared/output-buffer.js'
import type { Stop } from '../../shared/process/stop.js'
import type { WebContainerProcessesLike } from '../container-like.js'
import { type Form, parseReport, scriptOf } from './form.js'
import { fromWorkdir, type Place } from './places.js'
import { PrivateFiles } from './private-files.js'
import { type Running, startProcess } from './process.js'
import { within } from './timeout.js'

/**
 * After a stop: milliseconds to wait for the end of the command, for pending output, and for the stderr file. The sum must be less than
 * 250.
 */
const KILLED_MS = 120
const LAST_OUTPUT_MS = 30
const LAST_FILE_MS = 60

/** Everything that one command needs from its shell. */
export interface Prepared {
  readonly container: WebContainerProcessesLike
  readonly form: Form
  readonly place: Place
  readonly env: Readonly<Record<string, string>>
  /** A unique string in the names of the command's private files. */
  readonly token: string
  /** Returns the virtual path of a directory of the container, or undefined if the directory has none. */
  pathOf(host: string): string | undefined
}

/** Returns the result of a command that was stopped before it ran. */
export function notRun(given: ShellExecOptions, stop: Stop, cwd: string): ShellResult {
  return { ...createOutputBuffer(given).stopped(stop.reason), cwd, env: { ...given.env } }
}

/** @throws {ShellError} spawn_failed, unavailable; {UnsupportedError} stdin */
export async function execute(prepared: Prepared, command: string, given: ShellExecOptions, stop: Stop): Promise<ShellResult> {
  const { container, form, place, env, token } = prepared
  const kept = createOutputBuffer(given)
  const files = new PrivateFiles(container, token)
  const begin = { cwd: place.path, env }
  const starting = start(prepared, command, given, files, kept)
  // Remove the files after a failed start, even if the caller has stopped waiting for the start.
  starting.catch(() => files.remove())
  const process = await Promise.race([starting, stop.happened])
  if (!process) {
    void starting.then(endLate, () => undefined).then(() => files.remove())
    return { ...kept.stopped(stop.reason), ...begin }
  }
  const end = await Promise.race([process.ended, stop.happened])
  if (!end) {
    await endNow(process)
    if (form.stderr) await pushErrors(files, kept, LAST_FILE_MS)
    process.letGo()
    // The process may create the files again until it ends, so they are removed once more after that.
    void files.remove()
    void process.ended.then(() => files.remove())
    return { ...kept.stopped(stop.reason), ...begin }
  }
  stop.dispose()
  try {
    if (end.failure !== undefined) throw new ShellError('unavailable', `The command broke off: the container says: ${end.failure}`)
    await process.settle()
    process.letGo()
    if (form.stderr) await pushErrors(files, kept)
    if (process.broken !== undefined) kept.push({ stream: 'stderr', text: `[the output broke off: ${process.broken}]\n` })
    return { exitCode: end.code, ...kept.finish(), timedOut: false, aborted: false, ...begin, ...(await stateOf(prepared, files)) }
  } finally {
    process.letGo()
    await files.remove()
  }
}

async function start(
  { container, form, place, env }: Prepared,
  command: string,
  { stdin = '' }: ShellExecOptions,
  files: PrivateFiles,
  kept: OutputBuffer,
): Promise<Running> {
  if (stdin !== '' && !form.stdin) {
    throw new UnsupportedError(
      'stdin',
      'Cannot give the command an input: the shell of this container does not redirect it',
      'webcontainer',
    )
  }
  if (stdin !== '') await files.writeStdin(stdin)
  const cwd = fromWorkdir(container.workdir, place.host)
  return startProcess(container, {
    script: scriptOf(command, form, files.paths),
    ...(cwd !== undefined && { cwd }),
    env,
    lines: true,
    onOutput: (text) => kept.push({ stream: 'stdout', text }),
  })
}

/** Sends Ctrl+C to the foreground process of the terminal, then calls the container's `kill`, which takes no signal. */
async function endNow(process: Running): Promise<void> {
  process.interrupt()
  process.kill()
  if (await within(KILLED_MS, process.ended)) await process.settle(LAST_OUTPUT_MS)
}

function endLate(process: Running): void {
  process.letGo()
  process.kill()
}

async function pushErrors(files: PrivateFiles, kept: OutputBuffer, ms?: number): Promise<void> {
  const text = await files.read('err', ms)
  if (text !== undefined) kept.push({ stream: 'stderr', text })
}

async function stateOf({ form, pathOf }: Prepared, files: PrivateFiles): Promise<Partial<Pick<ShellResult, 'cwd' | 'env'>>> {
  const report = form.report ? parseReport((await files.read('end')) ?? '') : undefined
  if (!report) return {}
  const cwd = pathOf(report.cwd)
  return { env: report.env, ...(cwd !== undefined && { cwd }) }
}
