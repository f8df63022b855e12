import type { CommandResult, Context } from '../library-types.js'
import type { Process } from '../process/process.js'
import type { Running } from '../process/running.js'
import { inOrder } from '../process/several-names.js'
import { isHarmless, isStopping, type SignalName, signalNamed, signalNumber, signalTable, statusOf } from '../process/signals.js'
import type { Job } from './table.js'
import { waitBuiltin } from './wait.js'

const ok = (stdout = ''): CommandResult => ({ stdout, stderr: '', exitCode: 0 })
const fail = (stderr: string, exitCode = 1): CommandResult => ({ stdout: '', stderr: `bash: ${stderr}\n`, exitCode })

/** Runs `jobs [-lnprs] [job ...]`. */
export function jobsBuiltin({ jobs }: Running, { state, place }: Context, args: readonly string[]): CommandResult {
  const options = args.filter((arg) => /^-[lnprs]+$/.test(arg)).join('')
  const names = args.filter((arg) => !arg.startsWith('-'))
  const unknown = args.find((arg) => arg.startsWith('-') && !/^-[lnprs]+$/.test(arg))
  if (unknown !== undefined) return fail(`jobs: ${unknown}: invalid option\njobs: usage: jobs [-lnprs] [jobspec ...]`, 2)
  const own = [...(place.jobsOf === undefined ? [] : jobs.of(place.jobsOf)), ...jobs.of(state.bashPid)]
  const chosen = names.length === 0 ? own : names.flatMap((name) => jobs.find(state.bashPid, name) ?? [])
  const missing = names.filter((name) => !jobs.find(state.bashPid, name))
  // `-s` selects stopped jobs, and no job is ever stopped.
  const shown = options.includes('s') ? [] : chosen.filter((job) => !options.includes('r') || job.status === undefined)
  const stdout = shown.map((job) => `${options.includes('p') ? job.process.pid : lineOf(job, own, options.includes('l'))}\n`).join('')
  for (const job of shown) if (job.status !== undefined && !options.includes('p')) jobs.forget(job)
  const stderr = missing.map((name) => `bash: jobs: ${name}: no such job\n`).join('')
  return { stdout, stderr, exitCode: stderr === '' ? 0 : 1 }
}

function lineOf(job: Job, jobs: readonly Job[], long: boolean): string {
  const mark = job === jobs.at(-1) ? '+' : job === jobs.at(-2) ? '-' : ' '
  const pid = long ? `${String(job.process.pid).padStart(5)} ` : ''
  const text = job.status === undefined ? `${job.text} &` : job.text
  return `[${job.number}]${mark}  ${pid}${stateOf(job).padEnd(24)}${text}`
}

const ENDINGS: Readonly<Partial<Record<SignalName, string>>> = {
  SIGTERM: 'Terminated',
  SIGKILL: 'Killed',
  SIGINT: 'Interrupt',
  SIGHUP: 'Hangup',
}

function stateOf({ status, process }: Job): string {
  if (status === undefined) return 'Running'
  if (process.endedBy) return ENDINGS[process.endedBy] ?? process.endedBy
  return status === 0 ? 'Done' : `Exit ${status}`
}

/** Runs `kill [-s name | -n number | -name] id ...` and `kill -l [status ...]`. */
export function killBuiltin(running: Running, context: Context, args: readonly string[]): CommandResult {
  const [first, second] = args
  if (first === '-l' || first === '-L') return listSignals(args.slice(1))
  let rest = args
  let wanted: string | undefined
  if (first === '-s' || first === '-n') [wanted, rest] = [second, args.slice(2)]
  else if (first !== undefined && /^-[^-]/.test(first)) [wanted, rest] = [first.slice(1), args.slice(1)]
  if (rest[0] === '--') rest = rest.slice(1)
  if (rest.length === 0) return fail('kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]', 2)
  const name = wanted === '0' ? undefined : signalNamed(wanted ?? 'TERM')
  if (wanted !== '0' && name === undefined) return fail(`kill: ${wanted}: invalid signal specification`)
  if (name !== undefined && isStopping(name)) return fail(`kill: ${name}: jobs of this shell cannot be stopped, only ended (TERM, KILL)`)
  let stderr = ''
  for (const target of rest) {
    const problem = send(running, context, target, name)
    if (problem !== undefined) stderr += `bash: kill: ${problem}\n`
  }
  return { stdout: '', stderr, exitCode: stderr === '' ? 0 : 1 }
}

/** Sends a signal to the target. Returns the error message if this fails. */
function send(running: Running, context: Context, target: string, name: SignalName | undefined): string | undefined {
  const { place, state } = context
  const { jobs, main } = running
  if (!/^(?:%.*|-?\d+)$/.test(target)) return `${target}: arguments must be process or job IDs`
  // The only process group is that of the whole command.
  const own = [0, main.pid]
  const number = Math.abs(Number(target))
  const isGroup = target === '0' || (target.startsWith('-') && own.includes(number))
  const found = target.startsWith('%') ? jobs.find(state.bashPid, target) : jobs.find(state.bashPid, String(number))
  const shell = running.shells.get(Number(target))
  if (shell) {
    if (name) shell.place.process.signal(name, shell)
    return undefined
  }
  const targets: Process[] = found && found.status === undefined ? [found.process] : []
  if (isGroup) targets.push(...jobs.all().map(({ process }) => process), main)
  else if (own.includes(number)) {
    targets.push(main)
  }
  if (targets.length === 0 && number === state.bashPid) {
    if (!name || isHarmless(name)) return undefined
    if (!place.traps.has(name)) throw new place.Exit(statusOf(name), '', '')
  }
  if (targets.length === 0) return target.startsWith('%') ? `${target}: no such job` : `(${target}) - No such process`
  if (name) for (const process of targets) process.signal(name)
  return undefined
}

function listSignals(wanted: readonly string[]): CommandResult {
  if (wanted.length === 0) return ok(signalTable())
  return inOrder(
    wanted.map((each) => {
      const number = Number(each)
      const found = signalNamed(number > 128 ? String(number - 128) : each)
      if (!found) return fail(`kill: ${each}: invalid signal specification`)
      return ok(`${/^\d+$/.test(each) ? found.slice(3) : signalNumber(found)}\n`)
    }),
  )
}

/** Runs `disown [-ahr] [job ...]`. Even a disowned job ends with the command. */
export function disownBuiltin({ jobs }: Running, { state }: Context, args: readonly string[]): CommandResult {
  const names = args.filter((arg) => !/^-[ahr]+$/.test(arg))
  const keeps = args.some((arg) => /^-[ahr]*h/.test(arg))
  const all = names.length === 0 && args.some((arg) => /^-[ahr]*[ar]/.test(arg))
  const current = jobs.of(state.bashPid).at(-1)
  if (names.length === 0 && !all && !current) return fail('disown: current: no such job')
  const chosen = all
    ? [...jobs.of(state.bashPid)]
    : names.length === 0
      ? [current as Job]
      : names.flatMap((name) => jobs.find(state.bashPid, name) ?? [])
  const missing = names.find((name) => !jobs.find(state.bashPid, name))
  if (!keeps) for (const job of chosen) jobs.forget(job)
  return missing === undefined ? ok() : fail(`disown: ${missing}: no such job`)
}

/** Runs `fg`, which only waits for a job, because there is no terminal. */
export async function fgBuiltin(running: Running, context: Context, args: readonly string[]): Promise<CommandResult> {
  const job = running.jobs.find(context.state.bashPid, args[0] ?? '%%')
  if (!job) return fail(`fg: ${args[0] ?? 'current'}: no such job`)
  const result = await waitBuiltin(running, context, [String(job.process.pid)])
  return { ...result, stdout: `${job.text}\n` }
}

export function bgBuiltin({ jobs }: Running, { state }: Context, args: readonly string[]): CommandResult {
  const job = jobs.find(state.bashPid, args[0] ?? '%%')
  if (!job) return fail(`bg: ${args[0] ?? 'current'}: no such job`)
  return fail(`bg: job ${job.number} already in background`, 0)
}
