import { type Args, numberOf, type Refuse, stringOf } from '../shared/seed-schema.js'
import { orTrue } from './background-inputs.js'
import { trimmedOf } from './fields.js'

/** A program or an installation that the call waits for. */
interface Timed {
  readonly timeoutMs: number
  readonly cwd: string | undefined
  readonly args: readonly string[]
}

export type JsFormat = 'module' | 'commonjs'

/** A program as source text. */
export interface JsSource {
  readonly code: string
  readonly keepScript: boolean
  /** `auto`, or the requested runtime. */
  readonly runtime: JsRuntime
  readonly format: JsFormat
}

export type JsRuntime = 'auto' | 'node' | 'bun'

export type RunJsInput = JsSource & Timed

export interface RunModuleInput extends Timed {
  readonly module: string
  readonly manager: PackageManager
}

export interface InstallInput extends Timed {
  readonly packages: readonly string[]
  readonly dev: boolean
  readonly manager: PackageManager
}

export interface StartJsInput extends JsSource, Omit<Timed, 'timeoutMs'> {
  /** undefined: the call gave no name, so it reuses no session. */
  readonly name: string | undefined
  readonly reuse: boolean
}

const MANAGERS = ['auto', 'bun', 'pnpm', 'yarn', 'npm'] as const
export type PackageManager = (typeof MANAGERS)[number]

export const TIMEOUT = { byDefault: 120, most: 1200 } as const

export function readRunJs(args: Args, refuse: Refuse): RunJsInput {
  return { ...sourceOf('run_js', args, refuse), ...timedOf(args) }
}

export function readRunModule(args: Args, refuse: Refuse): RunModuleInput {
  const module = trimmedOf(args, 'module') ?? ''
  if (module === '') refuse('module', 'run_js_module requires a non-empty `module`.')
  if (module.includes('\0')) refuse('module', 'run_js_module `module` must not contain a NUL character.')
  return { module, manager: managerOf(args), ...timedOf(args) }
}

export function readInstall(args: Args, refuse: Refuse): InstallInput {
  const packages = listOf(args, 'packages').filter((name) => name !== '')
  if (packages.length === 0) refuse('packages', 'install_js_packages requires at least one name in `packages`.')
  return { packages, dev: args.dev === true, manager: managerOf(args), ...timedOf(args) }
}

export function readStartJs(args: Args, refuse: Refuse): StartJsInput {
  return {
    ...sourceOf('start_background_js', args, refuse),
    args: listOf(args, 'args'),
    cwd: trimmedOf(args, 'cwd'),
    name: trimmedOf(args, 'session_name'),
    reuse: orTrue(args, 'reuse_session'),
  }
}

function sourceOf(tool: string, args: Args, refuse: Refuse): JsSource {
  const code = stringOf(args, 'code') ?? ''
  if (code.trim() === '') refuse('code', `${tool} requires a non-empty \`code\`.`)
  const runtime = stringOf(args, 'runtime')
  return {
    code,
    keepScript: args.keep_script === true,
    runtime: runtime === 'node' || runtime === 'bun' ? runtime : 'auto',
    format: stringOf(args, 'format') === 'commonjs' ? 'commonjs' : 'module',
  }
}

function timedOf(args: Args): Timed {
  const seconds = Math.floor(numberOf(args, 'timeout_seconds') ?? 0)
  return {
    timeoutMs: 1000 * (seconds > 0 ? Math.min(seconds, TIMEOUT.most) : TIMEOUT.byDefault),
    cwd: trimmedOf(args, 'cwd'),
    args: listOf(args, 'args'),
  }
}

function managerOf(args: Args): PackageManager {
  const name = stringOf(args, 'package_manager')
  return MANAGERS.find((known) => known === name) ?? 'auto'
}

/** A list of strings. Accepts an array (and drops other values), an array as JSON text, or words separated by spaces. */
function listOf(args: Args, name: string): readonly string[] {
  const given = Object.hasOwn(args, name) ? args[name] : undefined
  if (Array.isArray(given)) return textsOf(given)
  if (typeof given !== 'string' || given.trim() === '') return []
  return arrayIn(given) ?? given.trim().split(/\s+/)
}

const textsOf = (given: readonly unknown[]): readonly string[] =>
  given.filter((each): each is string => typeof each === 'string').map((each) => each.trim())

function arrayIn(text: string): readonly string[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? textsOf(parsed) : undefined
  } catch {
    return undefined
  }
}
