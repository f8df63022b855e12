import type { ManagedReport } from '../../packages/install/manager.js'
import type { InstallReport } from '../../packages/install/options.js'
import { install } from '../../tools/js/install.js'
import type { JsSettings } from '../../tools/js/options.js'
import { placeOf } from '../../tools/js/run.js'
import { stopwatch } from '../../tools/js/time-limit.js'
import type { JsResult } from '../../types/js.js'
import type { ToolContext } from '../../types/tool.js'
import { StreamHead } from '../shared/stream-head.js'
import type { InstallInput } from './js-inputs.js'
import { type JsProcessOutput, LONGEST_STREAM } from './js-process.js'
import { ReportedFailure } from './reported-failure.js'

const TOOL = 'install_js_packages'
/** The name of the built-in installer in outputs. */
const BUILT_IN = 'toolport'
/** Options of package managers for development dependencies. */
const DEV = new Set(['-D', '-d', '--dev', '--save-dev'])

export type InstallOutput = JsProcessOutput & {
  readonly packages: readonly string[]
  readonly dev: boolean
  readonly package_manager: string
}

/** Implements `install_js_packages` with the built-in installer, which works like npm. */
export async function installJs(settings: JsSettings, input: InstallInput, context: ToolContext): Promise<InstallOutput> {
  const { packages, args, manager, timeoutMs } = input
  if (manager !== 'auto' && manager !== 'npm') throw unresolved()
  const dev = input.dev || args.some((flag) => DEV.has(flag))
  const cwd = await placeOf(input.cwd, context)
  const watch = stopwatch(context, timeoutMs)
  const limit = deadline(watch.timeoutMs, context)
  const outputOf = (
    exitCode: number | null,
    stops: Pick<JsResult, 'timedOut' | 'aborted'>,
    streams: Streams,
    by = BUILT_IN,
  ): InstallOutput => {
    const { timedOut, aborted, durationMs } = watch.settle(stops)
    return {
      status: exitCode === 0 ? 'ok' : 'error',
      mode: TOOL,
      cwd,
      command: by,
      args: ['install', ...packages, ...args],
      exit_code: exitCode,
      signal: null,
      timed_out: timedOut,
      aborted,
      duration_ms: durationMs,
      ...streams,
      packages,
      dev,
      package_manager: by,
    }
  }
  try {
    const report = await install(settings, { packages, dev, cwd }, { ...context, signal: limit.signal })
    return outputOf(0, { timedOut: false, aborted: false }, said(report, args), 'manager' in report ? report.manager : BUILT_IN)
  } catch (error) {
    if (!limit.signal.aborted) throw error
    return outputOf(null, { timedOut: limit.passed, aborted: !limit.passed }, streamsOf([], []))
  } finally {
    limit.over()
  }
}

/** Renders the output in the style of a package manager. */
function said(report: InstallReport | ManagedReport, args: readonly string[]): Streams {
  const { requested, added, updated, removed, warnings } = report
  const left = args.filter((flag) => !DEV.has(flag)).map((flag) => `left aside: ${flag}`)
  return streamsOf(
    [
      ...requested.map(({ name, version }) => `${name}@${version}`),
      `${added.length} added, ${updated.length} updated, ${removed.length} removed`,
    ],
    [...warnings.map(({ message }) => message), ...left].map((note) => `warning: ${note}`),
  )
}

interface Limit {
  readonly signal: AbortSignal
  /** Whether the timeout ended the installation, not the caller. */
  readonly passed: boolean
  over(): void
}

function deadline(ms: number, { host, signal }: ToolContext): Limit {
  const late = new AbortController()
  const over = new AbortController()
  void host.sleep(ms, over.signal).then(() => {
    if (!over.signal.aborted) late.abort()
  })
  return {
    signal: AbortSignal.any([signal, late.signal]),
    get passed() {
      return late.signal.aborted && !signal.aborted
    },
    over: () => over.abort(),
  }
}

function unresolved(): ReportedFailure {
  const error = `${TOOL} could not resolve an installed package manager.`
  return new ReportedFailure({ output: { status: 'error', message: error }, error }, 'unavailable')
}

type Streams = Pick<JsProcessOutput, 'stdout' | 'stderr' | 'truncated_stdout' | 'truncated_stderr'>

function streamsOf(out: readonly string[], errors: readonly string[]): Streams {
  const [stdout, stderr] = [textOf(out), textOf(errors)]
  return { stdout: stdout.text, stderr: stderr.text, truncated_stdout: stdout.truncated, truncated_stderr: stderr.truncated }
}

function textOf(lines: readonly string[]): StreamHead {
  const text = new StreamHead(LONGEST_STREAM, 'characters')
  for (const line of lines) text.push(`${line}\n`)
  return text
}
