import { Printout } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { Asker } from './shared/confirmation.js'
import { errorWords } from './shared/errno.js'
import { command, Failure } from './shared/failure.js'
import { pathOf } from './shared/files.js'
import { type Given, parseOptions } from './shared/options.js'
import { Report } from './shared/text-io.js'

export const rmCommand: OwnCommand = command('rm', { usage: 'rm [OPTION]... [FILE]...' }, run)

interface Removal {
  readonly given: Given
  readonly context: CommandContext
  readonly report: Report
  readonly asker: Asker
  readonly asks: boolean
  readonly out: Printout
}

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions(
    'rm',
    args,
    'r|R|recursive f|force i I interactive=? v|verbose d|dir one-file-system preserve-root=? no-preserve-root',
  )
  const force = given.last('f', 'i', 'I', 'interactive') === 'f'
  if (given.operands.length === 0 && !force) throw new Failure("missing operand\nTry 'rm --help' for more information.")
  const out = new Printout(context)
  const report = new Report('rm', out)
  const asker = new Asker(context, report)
  const when = given.last('f', 'i', 'I', 'interactive')
  const how = when === 'interactive' ? (given.value('interactive') ?? 'always') : when === 'i' ? 'always' : when === 'I' ? 'once' : 'never'
  const removal: Removal = { given, context, report, asker, asks: how === 'always', out }
  const recursive = given.has('r')
  if (how === 'once' && (given.operands.length > 3 || recursive)) {
    const count = given.operands.length
    if (!asker.agrees(`rm: remove ${count} argument${count === 1 ? '' : 's'}${recursive ? ' recursively' : ''}? `)) return report.result('')
  }
  for (const name of given.operands) {
    const base = name.replace(/\/+$/, '').replace(/^.*\//, '')
    if (base === '.' || base === '..') report.fail(`refusing to remove '.' or '..' directory: skipping '${name}'`)
    else if (/^\/+$/.test(name))
      report.fail("it is dangerous to operate recursively on '/'\nrm: use --no-preserve-root to override this failsafe")
    else await remove(removal, name)
  }
  return report.result(out.text())
}

async function remove(removal: Removal, name: string): Promise<void> {
  const { given, context, report, asker, asks, out } = removal
  const path = pathOf(context, name)
  try {
    // A link name with a trailing slash means the target directory, which must not be removed through the link.
    const stat = await context.fs.lstat(path)
    if (stat.isSymbolicLink && name.endsWith('/')) throw new Failure(`cannot remove '${name}': Not a directory`)
    if (!stat.isDirectory) {
      const kind = stat.isSymbolicLink ? 'symbolic link' : stat.size === 0 ? 'regular empty file' : 'regular file'
      if (asks && !asker.agrees(`rm: remove ${kind} '${name}'? `)) return
      await context.fs.rm(path)
      if (given.has('v')) out.put(packed(`removed '${name}'\n`))
      return
    }
    const entries = given.has('r') || given.has('d') ? await context.fs.readdir(path) : []
    if (!given.has('r')) {
      if (!given.has('d')) throw new Failure(`cannot remove '${name}': Is a directory`)
      if (entries.length > 0) throw new Failure(`cannot remove '${name}': Directory not empty`)
    }
    if (asks || given.has('v')) {
      if (entries.length > 0) {
        if (asks && !asker.agrees(`rm: descend into directory '${name}'? `)) return
        for (const entry of entries) await remove(removal, `${name.replace(/\/+$/, '')}/${entry}`)
      }
      if (asks && !asker.agrees(`rm: remove directory '${name}'? `)) return
      await context.fs.rm(path, { recursive: (await context.fs.readdir(path)).length === 0 })
      if (given.has('v')) out.put(packed(`removed directory '${name}'\n`))
      return
    }
    await context.fs.rm(path, { recursive: true })
  } catch (error) {
    if (error instanceof Failure) {
      report.fail(error.message)
      return
    }
    const words = errorWords(error)
    if (given.has('f') && (words === 'No such file or directory' || words === 'Not a directory')) return
    report.fail(`cannot remove '${name}': ${words}`)
  }
}
