import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import { canonical, lexical, relativeTo } from './shared/canonical.js'
import type { CommandContext, OwnCommand } from './shared/command.js'
import { errorWords } from './shared/errno.js'
import { command, Failure } from './shared/failure.js'
import { checkOperands, type Given, parseOptions } from './shared/options.js'
import { Report } from './shared/text-io.js'

const SPECS =
  'e|canonicalize-existing m|canonicalize-missing L|logical P|physical q|quiet relative-to= relative-base= s|strip|no-symlinks z|zero'

const LINK_SPECS = 'f|canonicalize e|canonicalize-existing m|canonicalize-missing n|no-newline q|quiet s|silent v|verbose z|zero'

export const realpathCommand: OwnCommand = command('realpath', { usage: 'realpath [OPTION]... FILE...' }, async (args, context) => {
  const given = parseOptions('realpath', args, SPECS)
  checkOperands('realpath', given.operands, 1)
  const to = await baseOf(given, context, 'relative-to')
  const within = await baseOf(given, context, 'relative-base')
  const end = given.has('z') ? '\0' : '\n'
  const out = new Printout(context)
  const report = new Report('realpath', out)
  for (const name of given.operands) {
    try {
      out.put(packed(`${shown(await resolve(given, context, name), to ?? within, within)}${end}`))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (given.has('q')) return report.result(out.text(), 1)
      report.fail(error.message)
    }
  }
  return report.result(out.text())
})

/** Prints errors only with `-v`. Without `-f`, `-e` or `-m`, prints a link's own target. */
export const readlinkCommand: OwnCommand = command('readlink', { usage: 'readlink [OPTION]... FILE...' }, async (args, context) => {
  const given = parseOptions('readlink', args, LINK_SPECS)
  checkOperands('readlink', given.operands, 1)
  const presence = ({ e: 'all', f: 'parents', m: 'none' } as const)[given.last('e', 'f', 'm') ?? '']
  const isBare = given.has('n') && given.operands.length === 1
  const end = given.has('z') ? '\0' : isBare ? '' : '\n'
  const out = new Printout(context)
  const report = new Report('readlink', out)
  for (const name of given.operands) {
    try {
      out.put(packed(`${await (presence ? canonical(context, name, presence) : target(context, name))}${end}`))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (given.last('v', 'q', 's') === 'v') report.fail(error.message)
      else report.status = 1
    }
  }
  return report.result(out.text())
})

async function target(context: CommandContext, name: string): Promise<string> {
  try {
    return await context.fs.readlink(context.fs.resolvePath(context.cwd, name))
  } catch (error) {
    throw new Failure(`${name || "''"}: ${errorWords(error)}`)
  }
}

function resolve(given: Given, context: CommandContext, name: string): Promise<string> {
  const presence = { e: 'all', m: 'none' }[given.last('e', 'm') ?? ''] as 'all' | 'none' | undefined
  if (!given.has('s')) return canonical(context, name, presence ?? 'parents')
  const path = lexical(context, name)
  return presence === 'none' ? Promise.resolve(path) : canonical(context, name, presence ?? 'parents').then(() => path)
}

async function baseOf(given: Given, context: CommandContext, id: string): Promise<string | undefined> {
  const name = given.value(id)
  if (name === undefined) return undefined
  const path = await resolve(given, context, name)
  if (given.has('e') && !(await context.fs.stat(path)).isDirectory) throw new Failure(`${name}: Not a directory`)
  return path
}

/** Returns a path as it is printed. With `--relative-base`, only paths below that directory are printed relative. */
function shown(path: string, to: string | undefined, within: string | undefined): string {
  const isIn = (one: string): boolean => within === undefined || within === '/' || one === within || one.startsWith(`${within}/`)
  return to !== undefined && isIn(path) && isIn(to) ? relativeTo(path, to) : path
}
