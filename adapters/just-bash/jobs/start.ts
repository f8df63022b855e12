import type { CommandResult, Context, Interpreter, Scope, StatementNode } from '../library-types.js'
import { copyState } from '../process/copy-state.js'
import { deliver, flushAll, pipeOf } from '../process/frames.js'
import { Process } from '../process/process.js'
import { nothing } from '../process/results.js'
import type { Running } from '../process/running.js'
import { resultOf, scriptOf, setStatus } from '../process/scripts.js'
import { inherited, withExitTrap } from '../process/traps.js'
import { MAX_JOBS } from './table.js'

/** Starts a statement as a job in a copy of this shell. Does not wait for the job. */
export function startJob(running: Running, interpreter: Interpreter, statement: StatementNode): CommandResult {
  const { ctx: context } = interpreter
  const { jobs, stop } = running
  if (stop.reason === undefined && jobs.running >= MAX_JOBS) {
    running.fail(`bash: fork: more than ${MAX_JOBS} background jobs at once: the command was ended. Start fewer, and wait for them.\n`)
  }
  if (stop.reason !== undefined) return nothing
  const process = new Process(running.nextPid(), stop.fork())
  const job = jobShell(running, interpreter, process)
  const ended = runJob(running, job, { ...bare(statement), background: false })
  jobs.add({ process, owner: context.state.bashPid, text: textOf(statement), ended })
  const pipe = writesElsewhere(statement) ? undefined : pipeOf(context.place.frame)
  if (pipe) {
    pipe.jobs?.add(ended)
    void ended.then(() => pipe.jobs?.delete(ended))
  }
  context.state.lastBackgroundPid = process.pid
  setStatus(context, 0)
  return nothing
}

/** Removes the `!` of `! command &`, which bash ignores there. */
function bare(statement: StatementNode): StatementNode {
  const [pipeline, ...more] = statement.pipelines
  if (!pipeline?.negated || more.length > 0) return withoutShell(statement)
  return withoutShell({ ...statement, pipelines: [{ ...pipeline, negated: false }] })
}

/** Replaces the subshell of `( ... ) &` with a group, because the job already runs in a shell of its own with its own traps. */
function withoutShell(statement: StatementNode): StatementNode {
  const [pipeline, ...more] = statement.pipelines
  const [command, ...others] = pipeline?.commands ?? []
  if (!pipeline || more.length > 0 || command?.type !== 'Subshell' || others.length > 0) return statement
  return { ...statement, pipelines: [{ ...pipeline, commands: [{ ...command, type: 'Group' }] }] }
}

function jobShell(running: Running, interpreter: Interpreter, process: Process): Interpreter {
  const { ctx: context } = interpreter
  const { place } = context
  const state = copyState(context.state)
  state.groupStdin = ''
  state.bashPid = process.pid
  state.loopDepth = 0
  // Nested jobs count towards the limit of jobs instead of the call depth.
  state.callDepth = Math.min(1, state.callDepth)
  state.inCondition = false
  const limits: object = Object.create(context.limits)
  const scope = forkScope(context.executionScope, limits)
  process.stop.govern(limits)
  process.scope = scope
  const execFn: Context['execFn'] = (script, options, accounted) =>
    place.bash.execInScope(script, options, scope, place.depth + 1, state.signal, accounted)
  const job = new interpreter.constructor({ ...context, limits, executionScope: scope, exec: execFn }, state)
  const traps = inherited(context)
  job.ctx.place = { ...place, pid: process.pid, jobsOf: undefined, process, traps, ownTraps: traps, level: place.level + 1 }
  job.ctx.sleep = sleeper(job.ctx)
  process.context = job.ctx
  // Copied states share the PID counter, so that no PID is used twice.
  shareCounter(state, running)
  return job
}

/** Makes a state use the PID counter of the call. The library keeps a separate counter in each state. */
export function shareCounter(state: Context['state'], running: Running): void {
  Object.defineProperty(state, 'nextVirtualPid', { get: () => running.nextPid(), set: () => {}, enumerable: true, configurable: true })
}

/** Returns the `sleep` function of an interpreter. It flushes the output first, and ends early if the process is stopped. */
export function sleeper(context: Context): (ms: number) => Promise<void> {
  return async (ms) => {
    await flushAll(context.place.frame)
    await context.place.process.stop.sleep(ms)
  }
}

/** Creates a scope that shares the counters of its parent but has its own limits. */
function forkScope(scope: Scope, limits: object): Scope {
  const fork = new scope.constructor(limits)
  for (const name of ['commandCount', 'workUnits', 'outputBytes', 'inputBytes', 'startedAt']) {
    const fields = scope as unknown as Record<string, unknown>
    Object.defineProperty(fork, name, {
      get: () => fields[name],
      set: (value: unknown) => {
        fields[name] = value
      },
      enumerable: true,
    })
  }
  return fork
}

async function runJob(running: Running, shell: Interpreter, statement: StatementNode): Promise<number> {
  const { ctx: context } = shell
  const { process, frame } = context.place
  // Wait, so that the job begins only after the statement that starts it has ended.
  await Promise.resolve()
  const result = await withExitTrap(running, context, () => shell.executeScript(scriptOf(statement))).catch(resultOf)
  const ending = process.stop.reason !== undefined
  const left = ending ? { ...result, stderr: withoutStop(result.stderr) } : result
  await deliver(frame, left, running.sink).catch(() => {})
  await flushAll(frame).catch(() => {})
  const status = process.endedStatus(result.exitCode)
  process.stop.end()
  return status
}

/** Removes the library's messages about limits of 0. */
const withoutStop = (text: string): string => text.replace(/^bash: .*(?:\(>?0\)| aborted$).*\n/gm, '')

/** Whether standard output of the whole statement goes to a file. */
function writesElsewhere({ pipelines }: StatementNode): boolean {
  const [command, ...others] = pipelines.length === 1 ? (pipelines[0]?.commands ?? []) : []
  if (!command || others.length > 0) return false
  return command.redirections.some(({ operator, fd }) => operator.startsWith('&>') || (/^>[>|]?$/.test(operator) && (fd ?? 1) === 1))
}

const textOf = ({ sourceText, pipelines }: StatementNode): string => {
  if (sourceText) return sourceText.trim().replace(/\s*&$/, '')
  const [command] = pipelines[0]?.commands ?? []
  return command?.type ?? 'job'
}
