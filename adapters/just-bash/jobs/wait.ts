import type { CommandResult, Context } from '../library-types.js'
import { flushAll } from '../process/frames.js'
import type { Running } from '../process/running.js'
import type { Job } from './table.js'

/** Status for a job that does not belong to this shell. */
const NOT_FOUND = 127

const done = (exitCode: number, stderr = ''): CommandResult => ({ stdout: '', stderr, exitCode })

interface WaitOptions {
  readonly any: boolean
  /** The variable of `-p`, which receives the PID of the awaited job. */
  readonly variable: string | undefined
  readonly names: readonly string[]
}

/** Runs `wait [-fn] [-p name] [id ...]`. */
export async function waitBuiltin({ jobs }: Running, context: Context, args: readonly string[]): Promise<CommandResult> {
  const options = optionsOf(args)
  if (typeof options === 'string') return done(2, `bash: wait: ${options}: invalid option\nwait: usage: wait [-fn] [-p var] [id ...]\n`)
  const { any, variable, names } = options
  const { place, state } = context
  const { stop } = place.process
  await flushAll(place.frame)
  if (variable !== undefined) state.env.delete(variable)

  const found: Job[] = []
  let stderr = ''
  let status = 0
  for (const name of names) {
    const job = jobs.find(state.bashPid, name)
    const isPid = /^\d+$/.test(name)
    const known = !job && isPid && !any ? jobs.statusOf(state.bashPid, Number(name)) : undefined
    if (job && job.owner === state.bashPid) found.push(job)
    else if (known !== undefined) status = known
    else {
      const isJob = any || name.startsWith('%')
      status = isJob || isPid ? NOT_FOUND : 1
      if (isJob) stderr += `bash: wait: ${name}: no such job\n`
      else if (isPid) stderr += `bash: wait: pid ${name} is not a child of this shell\n`
      else stderr += `bash: wait: \`${name}': not a pid or valid job spec\n`
    }
  }
  const waited = names.length === 0 ? jobs.of(state.bashPid) : found
  if (any) {
    const ended = waited.find((job) => job.status !== undefined)
    if (!ended && waited.length > 0) await stop.until(Promise.race(waited.map((job) => job.ended)))
    const first = ended ?? waited.find((job) => job.status !== undefined)
    if (!first) return done(NOT_FOUND, stderr)
    return take(first, stderr)
  }
  for (const job of waited) {
    await stop.until(job.ended)
    if (job.status === undefined) return done(interrupted(context), stderr)
    // The status of the last name wins.
    if (names.length > 0 && jobs.find(state.bashPid, names.at(-1) as string) === job) status = job.status
    take(job)
  }
  return done(status, stderr)

  function take(job: Job, said = ''): CommandResult {
    jobs.forget(job)
    if (variable !== undefined) state.env.set(variable, String(job.process.pid))
    return done(job.status ?? 0, said)
  }
}

/** Returns the status of `wait` after a trapped signal. The trap runs next. */
function interrupted({ place }: Context): number {
  const [next] = place.process.pending
  if (!next) return 130
  return place.process.numberOf(next)
}

function optionsOf(args: readonly string[]): WaitOptions | string {
  let any = false
  let variable: string | undefined
  const names = [...args]
  while (names[0]?.startsWith('-') && names[0].length > 1) {
    const option = names.shift() as string
    if (option === '--') break
    if (!/^-[fnp]+$/.test(option)) return option
    if (option.includes('n')) any = true
    if (option.endsWith('p')) variable = names.shift()
  }
  return { any, variable, names }
}
