import { binaryOf } from './shared/bytes.js'
import type { CommandContext, OwnCommand } from './shared/command.js'
import { errorWords } from './shared/errno.js'
import { command } from './shared/failure.js'
import { pathOf, statOf } from './shared/files.js'
import { parseOptions } from './shared/options.js'

/** Creates a pager. Without a terminal, a pager only copies its input, and display options have no effect. */
function pager(name: string, specs: string): OwnCommand {
  return command(name, { usage: `${name} [options] file...` }, async (args, context) => {
    const given = parseOptions(
      name,
      args.filter((arg) => !arg.startsWith('+')),
      specs,
    )
    if (given.operands.length === 0) return { stdout: context.stdin, stderr: '', exitCode: 0, stdoutKind: 'bytes' }
    return copy(name, given.operands, context)
  })
}

const LESS =
  'e|quit-at-eof E|QUIT-AT-EOF F|quit-if-one-screen g|hilite-search G|HILITE-SEARCH i|ignore-case I|IGNORE-CASE J|status-column ' +
  'K|quit-on-intr m|long-prompt M|LONG-PROMPT n|line-numbers N|LINE-NUMBERS q|quiet Q|QUIET r|raw-control-chars R|RAW-CONTROL-CHARS ' +
  's|squeeze-blank-lines S|chop-long-lines u U w W X|no-init x|tabs= p|pattern= P|prompt= j|jump-target= z|window= f|force'
const MORE = 'd|silent f|logical l|no-pause c|print-over p|clean-print s|squeeze u|plain n|lines='

export const pagerCommands: readonly OwnCommand[] = [pager('less', LESS), pager('more', MORE)]

type Result = Awaited<ReturnType<OwnCommand['execute']>>

async function copy(name: string, names: readonly string[], context: CommandContext): Promise<Result> {
  let stdout = ''
  let stderr = ''
  for (const file of names) {
    try {
      if ((await statOf(context, file))?.isDirectory) {
        stderr += name === 'less' ? `${file} is a directory\n` : `\n*** ${file}: directory ***\n\n`
        continue
      }
      const content = file === '-' ? context.stdin : binaryOf(await context.fs.readFileBuffer(pathOf(context, file)))
      if (name === 'more') stdout += `::::::::::::::\n${file}\n::::::::::::::\n`
      stdout += content
    } catch (error) {
      stderr += name === 'less' ? `${file}: ${errorWords(error)}\n` : `more: cannot open ${file}: ${errorWords(error)}\n`
    }
  }
  return { stdout, stderr, exitCode: stderr === '' ? 0 : 1, stdoutKind: 'bytes' }
}
