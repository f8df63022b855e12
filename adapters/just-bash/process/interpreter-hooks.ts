import { FsError } from '../../../src/errors/index.js'
import { scriptFile } from '../commands/bash.js'
import type { Regex } from '../commands/shared/regex/regex.js'
import type { InterpreterHooks, ScriptCall } from '../hooks.js'
import { shareCounter, sleeper, startJob } from '../jobs/start.js'
import type { CommandResult, Context, ExecResult, RedirectionNode } from '../library-types.js'
import { engineWords } from '../refusals.js'
import { lookAtInput, runProgram } from '../stdin/read.js'
import { boundEndless } from '../syntax/endless.js'
import { opensProcess, readInputFiles } from '../syntax/input-files.js'
import { commandLine, commandText } from '../syntax/print-function.js'
import { createBuiltins, keepDirectories } from './builtins.js'
import type { StreamCopies } from './copies.js'
import { guardState } from './copy-state.js'
import { CollectingFrame, deliver, merged } from './frames.js'
import { inheritFunctions } from './functions.js'
import { scriptCall } from './hashbang.js'
import { deeper, reading } from './interpreter-context.js'
import type { Process } from './process.js'
import { withPort } from './program-port.js'
import { nextRandom } from './random.js'
import { asText } from './results.js'
import type { Running } from './running.js'
import { createScriptOutput, hasOwnOutput, withoutStreams } from './script-output.js'
import { resultOf } from './scripts.js'
import { debug, runErrorTrap, runPending, withExitTrap, within, withReturnTrap } from './traps.js'

export interface HookParts {
  readonly running: Running
  /** Yields to the event loop if it is time. */
  readonly turn: (steps?: number) => Promise<void> | undefined
  /** Returns the message for an error of the file system, or undefined for other errors. */
  readonly failureOf: (error: unknown) => string | undefined
  /** Called when the script of the call begins, with its fresh shell. */
  readonly begin: (call: ScriptCall) => void
  readonly copies: StreamCopies
}

/** BASH_VERSINFO of the bash version that the library reports. */
const VERSION_PARTS = ['5', '2', '15', '1', 'release', 'x86_64-pc-linux-gnu']

const USER_ID = '1000'

const SPECIAL_VARIABLES = new Map<string, (host: Running['host'], context: Context) => number | string>([
  ['RANDOM', (host, context) => nextRandom(context) ?? Math.floor(host.random() * 2 ** 15)],
  ['SECONDS', (host, context) => secondsOf(context, host.now())],
  ['SRANDOM', (host) => Math.floor(host.random() * 2 ** 32)],
  ['EPOCHSECONDS', (host) => Math.floor(host.now() / 1000)],
  ['EPOCHREALTIME', (host) => (host.now() / 1000).toFixed(6)],
  ['BASH', () => '/usr/bin/bash'],
  ['LINENO', (_, { place, state }) => place.trapLine ?? state.currentLine],
  ['BASH_SUBSHELL', (_, { place }) => place.level],
  ['BASH_COMMAND', (_, { place }) => (place.command ? (commandLine(place.command) ?? commandText(place.command, '')) : '')],
])

/** Creates the hooks that add jobs, traps, streamed input and streamed output to the library's interpreter. */
export function createHooks({ running, turn, failureOf, begin, copies }: HookParts): InterpreterHooks {
  const { sink, main } = running
  const output = createScriptOutput(running, failureOf)
  const { print, printAll, framed, collect } = output
  const builtins = createBuiltins(running, output)
  const processes = new WeakMap<object, Process>()

  const scriptPlace = (call: ScriptCall): void => {
    const { context, bash, depth, Exit } = call
    const { state } = context
    // The library shares these sets between all scripts of a shell, so copy them.
    guardState(state)
    state.arrays ??= new Map()
    state.integerVars ??= new Set()
    state.integerVars.add('OPTIND').add('RANDOM').add('SECONDS')
    state.arrays.set('BASH_VERSINFO', { kind: 'indexed', elements: new Map(VERSION_PARTS.map((part, index) => [String(index), part])) })
    state.arrays.set('GROUPS', { kind: 'indexed', elements: new Map([['0', USER_ID]]) })
    keepDirectories(state)
    if (!state.env.has('SHLVL')) state.env.set('SHLVL', String(depth + 1))
    const process = depth === 0 ? main : (processes.get(context.executionScope) ?? main)
    // A command such as `bash -c` collects the output of its script. Jobs that outlive the script print to the streams of the command
    // instead.
    const around = process.callers.at(-1)?.place
    const mend = depth === 0 ? undefined : around?.passing?.mend
    const frame = depth === 0 ? undefined : mend ? around?.frame : new CollectingFrame(around?.frame, true, sink, { waits: false })
    const traps = new Map<string, string>()
    const readsFile = around?.readsFile
    context.place = {
      pid: state.bashPid,
      process,
      frame,
      mend,
      readsFile,
      traps,
      ownTraps: traps,
      startMs: running.host.now(),
      level: 0,
      exported: new Set(),
      bash,
      depth,
      Exit,
    }
    context.sleep = sleeper(context)
    shareCounter(context.state, running)
    if (depth === 0) {
      main.context = context
      main.scope = context.executionScope
      begin(call)
      main.errexitGiven = Boolean(state.options.errexit)
    } else {
      const caller = process.callers.at(-1)
      inheritFunctions(context, caller)
      state.exportedVars = new Set(
        [state, caller?.state].flatMap((each) => [...(each?.exportedVars ?? []), ...(each?.tempExportedVars ?? [])]),
      )
      state.exportedVars.add('PWD')
      if (!state.env.has('PATH')) {
        state.env.set('PATH', '/usr/bin:/bin')
        state.exportedVars.delete('PATH')
      }
      for (const name of around?.passing?.hidden ?? []) state.exportedVars.delete(name)
      const file = caller?.place.script
      if (file !== undefined)
        Object.assign(state, { currentSource: file, funcNameStack: ['main'], sourceStack: [file], callLineStack: [0] })
      state.env.set('OPTERR', '1')
      if (!state.env.has('PS4')) state.env.set('PS4', '+ ')
      context.state.virtualPid = running.nextPid()
      context.state.virtualPpid = caller?.state.virtualPid ?? main.pid
      context.state.bashPid = context.state.virtualPid
      context.place.pid = context.state.bashPid
      running.shells.set(context.state.virtualPid, context)
    }
  }

  return {
    async script(call) {
      scriptPlace(call)
      const { context, interpreter, ast } = call
      readInputFiles(ast)
      boundEndless(ast)
      const { virtualPid } = context.state
      const run = (): Promise<ExecResult> =>
        withExitTrap(running, context, () => interpreter.executeScript(ast)).finally(async () => {
          running.shells.delete(virtualPid)
          withoutStreams(context, [1, 2])
          const late = await call.finish()
          if (late.stdout !== '' || late.stderr !== '') await print(context, { ...late, exitCode: 0 })
        })
      const { frame, mend, depth } = context.place
      if (mend) return printAll(context, await run())
      return depth > 0 && frame instanceof CollectingFrame ? collect(context, frame, run) : run()
    },

    outlives: opensProcess,

    beforeCommand(context, node) {
      const { process, trapping, traps, level, Exit } = context.place
      if (context.state.env.has('SECONDS')) takeSeconds(context, running.host.now())
      if (level > 0 && opensProcess(node))
        throw new Exit(1, '', 'bash: exec > >(...) is not supported in a subshell. Put the commands into { ...; } and redirect that\n')
      if (process.pending.length > 0) return runPending(context)
      if (!trapping && node.type !== 'For' && commandLine(node) !== undefined) {
        context.place.command = node
        if (traps.has('DEBUG')) return debug(context, node)
      }
      return turn()
    },

    debug,
    called(context, run) {
      const { state } = context
      const { loopDepth } = state
      // `break` in a function must not end a loop that calls the function.
      state.loopDepth = 0
      return withReturnTrap(context, true, run).finally(() => {
        state.loopDepth = loopDepth
      })
    },
    sourced: (context, run) => withReturnTrap(context, false, () => deeper(context, run)),

    pause: turn,
    match: createMatch(),
    isPipe: ({ place }) => place.readsFile === false || (place.readsFile === undefined && place.process.input !== undefined),

    afterFailure(error) {
      const words = FsError.is(error) ? failureOf(error) : engineWords(error)
      return words === undefined ? undefined : { stdout: '', stderr: `bash: ${words}\n`, exitCode: 1 }
    },

    print,

    background(interpreter, statement) {
      const result = startJob(running, interpreter, statement)
      const started = running.jobs.all().at(-1)?.process
      if (started?.scope) processes.set(started.scope, started)
      return result
    },

    async onError(context, status, statement) {
      await runErrorTrap(context, status, statement)
      if (!context.state.options.errexit || !main.errexitGiven) return
      main.errexitGiven = false
      const stderr = 'bash: this script ended at a command that failed, since `set -e` is on from an earlier one (`set +e` turns it off)\n'
      await deliver(context.place.frame, { stdout: '', stderr, exitCode: status }, sink)
    },

    async stage(context, { first, last, merged: both, own }, run) {
      const body = (): Promise<CommandResult> =>
        last
          ? run()
          : collect(
              context,
              new CollectingFrame(context.place.frame, both, sink, { merges: both }),
              both ? () => run().then(merged) : run,
              true,
            )
      if (!own) return reading(context, false, body)
      const { state } = context
      const { bashPid, lastBackgroundPid, loopDepth } = state
      const restore = guardState(state)
      Object.assign(state, { bashPid: running.nextPid(), loopDepth: 0 })
      return within(context, first ? body : () => reading(context, false, body), true).finally(() => {
        restore()
        Object.assign(state, { bashPid, lastBackgroundPid, loopDepth })
      })
    },

    async substitute(context, run, process = false) {
      const restore = guardState(context.state)
      const { options } = context.state
      if (!process && !options.inherit_errexit) options.errexit = false
      const frame = new CollectingFrame(context.place.frame, false, sink)
      const body = (): Promise<ExecResult> => collect(context, frame, () => withExitTrap(running, context, run), true)
      return within(context, () => deeper(context, body), true)
        .catch((error: unknown) => {
          // `break` ends only the substitution, not an enclosing loop.
          if (!isLoopExit(error)) throw error
          return { ...resultOf(error), env: {}, exitCode: 0 }
        })
        .then(asText)
        .finally(restore)
    },

    subshell: (context, run) => within(context, () => withExitTrap(running, context, run)),

    async redirected(context, redirections, body, route, simple = false) {
      const { place } = context
      const readsFile = inputOf(redirections)
      const run = readsFile === undefined ? body : () => reading(context, readsFile, body)
      place.route = undefined
      const isElsewhere = simple && hasOwnOutput(context)
      if (redirections.length === 0) {
        // The library itself routes the output of builtins and functions, so only programs need the route.
        if (isElsewhere) place.route = (program) => framed(context, redirections, program, route, true)
        return run()
      }
      return framed(context, redirections, run, route, isElsewhere)
    },

    duplicate: (context, entry) => copies.of(context, entry),
    original: (context, fd, entry) => copies.original(context, fd, entry),

    builtins: builtins.names,

    async builtin(context, call) {
      const { place } = context
      const { route } = place
      const result = await builtins.run(context, call)
      if (!result?.pieces) return result
      place.route = undefined
      const body = (): Promise<CommandResult> => printAll(context, result)
      return route ? route(body) : body()
    },

    async program(context, given) {
      const call = (await scriptCall(context, given)) ?? given
      const { callers } = context.place.process
      callers.push(context)
      context.place.script = call.name === 'bash' || call.name === 'sh' ? scriptFile(call.args) : undefined
      const { mend, route } = context.place
      context.place.route = undefined
      const body = async (): Promise<CommandResult> => {
        const result = await withPort(context, call, printAll, () => runProgram(context, call))
        const failed = result.exitCode === NOT_FOUND || result.exitCode === NOT_RUN
        const told = failed && mend ? mend(result) : result
        return told.pieces ? printAll(context, told) : told
      }
      try {
        return await (route ? route(body) : body())
      } finally {
        callers.pop()
      }
    },
    special(context, name, isAsked) {
      const special = SPECIAL_VARIABLES.get(name)
      return special && (isAsked ? '' : String(special(running.host, context)))
    },
    input: lookAtInput,
  }
}

/** Whether the last input redirection reads a file, or undefined if no redirection changes standard input. */
function inputOf(redirections: readonly RedirectionNode[]): boolean | undefined {
  const last = redirections.findLast(({ operator, fd }) => operator.startsWith('<') && (fd ?? 0) === 0)
  if (!last) return undefined
  return last.operator === '<' && 'source' in last.target && !/^(?:<\(|\/dev\/)/.test(last.target.source ?? '<(')
}

const NOT_FOUND = 127
const NOT_RUN = 126

const isLoopExit = (error: unknown): boolean => ['BreakError', 'ContinueError'].includes((error as Error).name)

/** Evaluates `text =~ expression` with the expressions of `grep -E`. */
function createMatch(): (expression: string, text: string, ignoreCase: boolean) => Promise<readonly (string | undefined)[] | null> {
  // Caches the last expression, because loops repeat it.
  let last: { readonly key: string; readonly regex: Regex } | undefined
  return async (expression, text, ignoreCase) => {
    const { compileRegex, LONG_LINE, loadLongest, mayNeedLongest } = await import('../commands/shared/regex/regex.js')
    if (mayNeedLongest(expression) || text.length > LONG_LINE) await loadLongest()
    const key = `${ignoreCase} ${expression}`
    if (last?.key !== key) last = { key, regex: compileRegex(expression, { extended: true, ignoreCase }) }
    return last.regex.exec(text)?.groups ?? null
  }
}

/** Applies a value that a script assigned to SECONDS. The time counts from then on. */
function takeSeconds({ place, state: { env } }: Context, nowMs: number): void {
  const assigned = env.get('SECONDS')
  if (assigned === undefined) return
  place.startMs = nowMs - (Number.parseInt(assigned, 10) || 0) * 1000
  env.delete('SECONDS')
}

function secondsOf(context: Context, nowMs: number): number {
  takeSeconds(context, nowMs)
  return Math.floor((nowMs - context.place.startMs) / 1000)
}
