import type { BashStat } from '../../../src/workspace/facades/to-bash-fs.js'
import { modeText } from './ls/entry.js'
import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { errorWords } from './shared/errno.js'
import { command, Failure } from './shared/failure.js'
import { pathOf, statOf } from './shared/files.js'
import { modeOf } from './shared/mode.js'
import { checkOperands, type Given, parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { Report } from './shared/text-io.js'

export const chmodCommand: OwnCommand = command(
  'chmod',
  { usage: 'chmod [OPTION]... MODE[,MODE]... FILE...\n  or:  chmod [OPTION]... --reference=RFILE FILE...' },
  run,
)

interface Change {
  readonly context: CommandContext
  readonly given: Given
  readonly report: Report
  readonly pace: Pace
  readonly out: Printout
  readonly mode: (stat: BashStat) => number
}

async function run(all: readonly string[], context: CommandContext): Promise<OwnResult> {
  // `-w` and `-x,g+r` look like options, but they are modes.
  const at = all.findIndex((arg) => /^-[rwxXst]+(?:,|$)/.test(arg))
  const args = at < 0 || all.slice(0, at).includes('--') ? all : all.toSpliced(at, 1)
  const given = parseOptions('chmod', args, 'R|recursive v|verbose c|changes f|silent|quiet reference= preserve-root no-preserve-root')
  const reference = given.value('reference')
  const own = args === all ? undefined : all[at]
  const [text, ...names] = own !== undefined || reference !== undefined ? [own ?? '', ...given.operands] : given.operands
  if (text === undefined || names.length === 0) checkOperands('chmod', given.operands, (given.operands.length || 0) + 1)
  const out = new Printout(context)
  const change = {
    context,
    given,
    report: new Report('chmod', out),
    pace: new Pace(context),
    out,
    mode: await modeFrom(context, text as string, reference),
  }
  for (const name of names) await changed(change, name)
  return change.report.result(out.text())
}

async function modeFrom(context: CommandContext, text: string, reference: string | undefined): Promise<Change['mode']> {
  if (reference !== undefined) {
    const stat = await statOf(context, reference)
    if (!stat) throw new Failure(`failed to get attributes of '${reference}': No such file or directory`)
    return () => stat.mode & 0o7777
  }
  if (modeOf(text) === undefined)
    throw new Failure(`invalid mode: '${text}'\nA mode is octal, or [ugoa][-+=][rwxXst] or [ugoa][-+=][ugo], with commas between`)
  // `X` applies to directories and to files with any execute permission.
  const plain = text.replaceAll('X', '')
  return ({ mode, isDirectory }) => modeOf(isDirectory || (mode & 0o111) !== 0 ? text : plain, mode & 0o7777) as number
}

async function changed(change: Change, name: string): Promise<void> {
  const { context, given, report, out } = change
  const stat = await statOf(context, name)
  if (!stat) {
    if (!given.has('f')) report.fail(`cannot access '${name}': No such file or directory`)
    if (given.has('v')) out.put(packed(`'${name}' could not be accessed\n`))
    report.status = 1
    return
  }
  const [before, after] = [stat.mode & 0o7777, change.mode(stat)]
  try {
    await change.pace.turn(100)
    await context.fs.chmod(pathOf(context, name), after)
    if (before !== after && (given.has('v') || given.has('c')))
      out.put(packed(`mode of '${name}' changed from ${shown(before)} to ${shown(after)}\n`))
    else if (given.has('v')) out.put(packed(`mode of '${name}' retained as ${shown(before)}\n`))
    if (!given.has('R') || !stat.isDirectory) return
    for (const { name: entry, isSymbolicLink } of await context.fs.readdirWithFileTypes(pathOf(context, name))) {
      if (!isSymbolicLink) await changed(change, `${name.replace(/\/+$/, '')}/${entry}`)
    }
  } catch (error) {
    report.fail(`changing permissions of '${name}': ${errorWords(error)}`)
  }
}

const shown = (mode: number): string => `${mode.toString(8).padStart(4, '0')} (${modeText({ mode } as BashStat).slice(1)})`
