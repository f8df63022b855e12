import { headTail, streamNote } from '../../../src/ops/truncate.js'
import { ok } from '../runner.js'
import { fileHas, fileIsAbsent, type ShellCase, told } from './case.js'
import type { ShellCommand, ShellCommands } from './command.js'
import { exitCodeCommands } from './commands/exit-codes.js'
import { expansionCommands } from './commands/expansion.js'
import { fileCommands } from './commands/files.js'
import { flowCommands } from './commands/flow.js'
import { pipeCommands } from './commands/pipes.js'
import { hereDocumentCommands, redirectionCommands } from './commands/redirection.js'
import { formCommands, stdinCommands, textCommands } from './commands/text.js'

/** The default of `ShellExecOptions.maxBytes`. */
const DEFAULT_MAX_BYTES = 256 * 1024

/** Commands with the output of real bash, in groups. */
export const COMMANDS: readonly ShellCommands[] = [
  fileCommands,
  pipeCommands,
  redirectionCommands,
  hereDocumentCommands,
  exitCodeCommands,
  expansionCommands,
  flowCommands,
  textCommands,
  stdinCommands,
  formCommands,
]

/** Cuts the text like a shell result. */
const kept = (text: string): string => headTail(text, DEFAULT_MAX_BYTES, streamNote).text

/** Shows both texts from 40 characters before their first difference, because long texts may begin with the same characters. */
function difference(what: string, actual: string, expected: string): string {
  let at = 0
  while (at < actual.length && actual[at] === expected[at]) at++
  const from = Math.max(0, at - 40)
  const show = (text: string): string => JSON.stringify(text.slice(from, at + 200))
  return `Expected ${what} to be ${show(expected)} from character ${from} on, got ${show(actual)}`
}

function commandCase(command: ShellCommand): ShellCase {
  const { run: line, stdin, env, before = {}, stdout = '', stderr = '', exitCode = 0, files = {} } = command
  const expected = kept(stdout)
  const isCut = expected !== stdout || (typeof stderr === 'string' && kept(stderr) !== stderr)
  return async ({ workspace, run }) => {
    for (const [path, text] of Object.entries(before)) await workspace.writeText(path, text)
    const result = await run(line, { ...(stdin !== undefined && { stdin }), ...(env && { env }) })
    ok(result.stdout === expected, `${difference('stdout', result.stdout, expected)} (${told(result)})`)
    if (typeof stderr === 'string')
      ok(result.stderr === kept(stderr), `${difference('stderr', result.stderr, kept(stderr))} (${told(result)})`)
    else ok(stderr.test(result.stderr), `Expected stderr to match ${stderr}, got ${told(result)}`)
    ok(result.exitCode === exitCode && !result.timedOut && !result.aborted, `Expected exit ${exitCode}, got ${told(result)}`)
    ok(result.truncated === isCut, `Expected truncated to be ${isCut}, got ${result.truncated}`)
    for (const [path, text] of Object.entries(files)) {
      if (text === null) await fileIsAbsent(workspace, path)
      else await fileHas(workspace, path, text)
    }
  }
}

export const commandCases: readonly Readonly<Record<string, ShellCase>>[] = COMMANDS.map((commands) =>
  Object.fromEntries(Object.entries(commands).map(([title, command]) => [title, commandCase(command)])),
)
