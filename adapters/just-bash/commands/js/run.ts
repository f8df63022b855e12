import { FsError, hasCode } from '../../../../src/errors/index.js'
import { createModuleLoader } from '../../../../src/packages/modules/index.js'
import type { JsAdapter, JsGrants, JsProgram } from '../../../../src/types/js.js'
import type { ShellCommandContext, ShellCommandResult } from '../../../../src/types/shell.js'
import type { Workspace } from '../../../../src/types/workspace.js'
import { baseName, isWithin } from '../../../../src/workspace/paths.js'
import { checkCode } from './check-code.js'
import { evalCode, type Format, formatOfText, printCode } from './eval-code.js'
import { type Asked, Refusal, readArguments, usageOf } from './options.js'
import { type ProgramInput, runProgram, textsOf } from './running.js'
import type { JsCommandName, JsCommandsOptions } from './types.js'

export interface JsCall {
  readonly name: JsCommandName
  readonly js: JsAdapter
  readonly options: JsCommandsOptions
  readonly workspace: Workspace
  readonly context: ShellCommandContext
}

export async function runJsCommand(args: readonly string[], call: JsCall): Promise<ShellCommandResult> {
  const { name } = call
  try {
    const asked = readArguments(name, args)
    if (asked.action === 'help') return { stdout: usageOf(name) }
    checkPlace(call)
    if (asked.action === 'version') return await run(call, { code: 'console.log(process.version)', format: 'commonjs' }, '')
    return await runAsked(call, asked)
  } catch (error) {
    if (error instanceof Refusal) return { stderr: `${error.message}\n`, exitCode: error.status }
    throw error
  }
}

async function runAsked(call: JsCall, asked: Asked): Promise<ShellCommandResult> {
  const { context } = call
  const { code, script, args } = asked
  if (code !== undefined) {
    const program = { ...(await evaluated(call, asked, code)), args }
    return run(call, program, await inputOf(call, { code, cwd: context.cwd }))
  }
  if (script === undefined) {
    const text = await textOfInput(call)
    const format = await formatFor(call, asked, text)
    if (asked.action === 'check') return checked(call, text, `[stdin].${format === 'module' ? 'mjs' : 'cjs'}`)
    if (asked.print) return run(call, { ...(await evaluated(call, asked, text)), args }, '')
    return run(call, { code: text, format, args }, '')
  }
  if (asked.format)
    throw new Refusal(
      'Error [ERR_INPUT_TYPE_NOT_ALLOWED]: --input-type can only be used with string input via --eval, --print, or STDIN',
      9,
    )
  const path = context.fs.resolvePath(context.cwd, script)
  if (asked.action === 'check') return checked(call, await textOfFile(call, path), path)
  try {
    const program = isWithin(path, call.workspace.root) ? { entry: path } : await ofPrivateFile(call, path)
    return await run(call, { ...program, args }, await inputOf(call, { ...program, cwd: context.cwd }))
  } catch (error) {
    throw hasCode(error, 'ENOENT', 'EISDIR', 'ENOTDIR') && FsError.is(error) ? notFound(path) : error
  }
}

/** Rejects a working directory outside the workspace, because programs see only the workspace. @throws {Refusal} */
function checkPlace({ name, workspace, context }: JsCall): void {
  if (isWithin(context.cwd, workspace.root)) return
  throw new Refusal(`${name}: "${context.cwd}" is the shell's own, and programs see the workspace only: cd ${workspace.root} first`, 1)
}

async function evaluated(call: JsCall, asked: Asked, code: string): Promise<JsProgram> {
  const format = await formatFor(call, asked, code)
  if (!asked.print) return { code: evalCode(code, format), format }
  if (asked.format === 'module' || (call.name === 'node' && format === 'module')) {
    throw new Refusal('Error [ERR_EVAL_ESM_CANNOT_PRINT]: --print cannot be used with ESM input', 1)
  }
  return { code: printCode(code), format: 'commonjs' }
}

async function formatFor({ name }: JsCall, { format }: Asked, text: string): Promise<Format> {
  return format ?? (name === 'js' ? 'module' : await formatOfText(text))
}

/** Reads the program from standard input. @throws {Refusal} if nothing is piped in */
async function textOfInput({ name, context }: JsCall): Promise<string> {
  const { input } = context
  const kind = input?.kind ?? 'own'
  if (kind === 'none' || kind === 'live') {
    throw new Refusal(`${name}: there is no interactive mode in this shell: name a file, use -e CODE, or pipe a program into it`)
  }
  if (!input) return new TextDecoder().decode(context.stdin)
  let text = ''
  for await (const piece of textsOf(input)) text += piece
  return text
}

async function inputOf({ workspace, context }: JsCall, program: Parameters<typeof readsInput>[1]): Promise<ProgramInput> {
  const { input } = context
  // A shell without input streams cannot tell whether the input belongs to this program, so the program gets none.
  if (!input || input.kind === 'none') return ''
  if (input.kind !== 'own' && !(await readsInput(workspace, program))) return ''
  if (input.kind === 'live') return input
  let text = ''
  for await (const piece of textsOf(input)) text += piece
  return text
}

/**
 * Loads a script outside the workspace. The program runs as if the script were in the working directory, from where imports are resolved.
 */
async function ofPrivateFile(call: JsCall, path: string): Promise<Pick<JsProgram, 'code' | 'filename' | 'format'>> {
  const code = await textOfFile(call, path)
  return { code, filename: baseName(path), format: await formatFor(call, { action: 'run', print: false, args: [] }, code) }
}

/** @throws {Refusal} if the file is unreadable */
async function textOfFile({ name, context }: JsCall, path: string): Promise<string> {
  try {
    return new TextDecoder().decode(await context.fs.readFileBuffer(path))
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EISDIR', 'ENOTDIR')) throw notFound(path)
    throw new Refusal(`${name}: ${error instanceof Error ? error.message : String(error)}`, 1)
  }
}

const notFound = (path: string): Refusal => new Refusal(`Error: Cannot find module '${path}'`, 1)

async function checked(call: JsCall, text: string, path: string): Promise<ShellCommandResult> {
  return run({ ...call, name: 'node' }, { code: await checkCode(text, path), format: 'commonjs' }, '')
}

function run(call: JsCall, program: JsProgram, input: ProgramInput): Promise<ShellCommandResult> {
  const { name, js, options, context } = call
  const { memoryBytes } = options
  const given = {
    ...program,
    cwd: context.cwd,
    env: context.env,
    grants: grantsOf(call),
    ...(memoryBytes !== undefined && { memoryBytes }),
  }
  return runProgram({ js, program: given, input, context, printsResult: name === 'js' })
}

/** @throws {Refusal} if writing is not granted and the adapter cannot prevent it */
function grantsOf({ name, js, options, workspace }: JsCall): JsGrants {
  const grants = { fs: 'write', ...options.grants } as const
  const fs = workspace.readOnly && grants.fs === 'write' ? 'read' : grants.fs
  if (js.can.isolated || fs === 'write') return { ...grants, fs }
  const why = workspace.readOnly ? 'the workspace is read-only' : 'programs are not granted to write files'
  throw new Refusal(`${name}: ${why}, and one of the JavaScript adapter "${js.name}" writes where it likes`, 126)
}

/** Matches code that reads standard input. */
const READS =
  /\bstdin\b|\breadline\b|\/dev\/(?:stdin|fd\/0)|\b(?:readFileSync|readSync|openSync|fstatSync|readFile|createReadStream)\s*\(\s*0\b/

interface Wanted {
  readonly code?: string
  readonly entry?: string
  readonly cwd: string
}

/**
 * Whether a program may read its input, judged by the code of its modules. A program that does not read gets no shared input of a script.
 * Otherwise, it would consume the lines that a `while read` loop still needs.
 */
async function readsInput(workspace: Workspace, { code, entry, cwd }: Wanted): Promise<boolean> {
  if (code !== undefined && READS.test(code)) return true
  const program = entry === undefined ? { code: code ?? '', filename: '[eval].js', format: 'commonjs' as const } : { entry }
  try {
    const { modules } = await createModuleLoader(workspace, { builtins: new Set() }).load(program, { cwd })
    for (const module of modules.values()) if (READS.test(module.code)) return true
  } catch {
    // The adapter reports the error when it runs the program.
  }
  return false
}
