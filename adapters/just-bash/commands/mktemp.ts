import type { Host } from '../../../src/types/host.js'
import { type CommandContext, type OwnCommand, printed } from './shared/command.js'
import { errorWords } from './shared/errno.js'
import { command, Failure } from './shared/failure.js'
import { pathOf } from './shared/files.js'
import { checkOperands, type Given, parseOptions } from './shared/options.js'
import { hostOf } from './shared/pace.js'

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const TRIES = 1000
const MODE = { file: 0o600, directory: 0o700 } as const

/**
 * State per host. `pending`: paths that running calls are creating, because another call may run between the check and the creation of a
 * path. `made`: number of generated names.
 */
const drawn = new WeakMap<Host, { readonly pending: Set<string>; made: number }>()

export const mktempCommand: OwnCommand = command('mktemp', { usage: 'mktemp [OPTION]... [TEMPLATE]' }, async (args, context) => {
  const given = parseOptions('mktemp', args, 'd|directory u|dry-run q|quiet suffix= p= tmpdir=? t')
  if (given.operands.length > 1) throw new Failure("too many templates\nTry 'mktemp --help' for more information.")
  checkOperands('mktemp', given.operands, 0, 1)
  try {
    return printed(`${await make(context, templateOf(given, context), given)}\n`)
  } catch (error) {
    if (given.has('q') && error instanceof Failure) throw new Failure('', 1)
    throw error
  }
})

interface Template {
  readonly before: string
  readonly length: number
  readonly after: string
}

/** @throws {Failure} for an invalid template */
function templateOf(given: Given, { exportedEnv }: CommandContext): Template {
  const template = given.operands[0] ?? 'tmp.XXXXXXXXXX'
  const suffix = given.value('suffix')
  if (suffix !== undefined && !template.endsWith('X')) throw new Failure(`with --suffix, template '${template}' must end in X`)
  const end = template.lastIndexOf('X') + 1
  const after = suffix ?? template.slice(end)
  if (after.includes('/')) throw new Failure(`invalid suffix '${after}', contains directory separator`)
  let start = end
  while (start > 0 && template[start - 1] === 'X') start--
  if (end - start < 3) throw new Failure(`too few X's in template '${template}'`)

  const standard = exportedEnv?.TMPDIR || '/tmp'
  const isOld = given.has('t')
  const wanted = given.last('p', 'tmpdir') ? given.value(given.last('p', 'tmpdir') as string) || standard : undefined
  const folder = isOld ? (exportedEnv?.TMPDIR ?? wanted ?? '/tmp') : (wanted ?? (given.operands.length === 0 ? standard : undefined))
  if (isOld && template.includes('/')) throw new Failure(`invalid template, '${template}', contains directory separator`)
  if (folder !== undefined && template.startsWith('/')) {
    throw new Failure(`invalid template, '${template}'; with --tmpdir, it may not be absolute`)
  }
  const before = template.slice(0, start)
  return { before: folder === undefined ? before : `${folder.replace(/\/$/, '')}/${before}`, length: end - start, after }
}

async function make(context: CommandContext, { before, length, after }: Template, given: Given): Promise<string> {
  const kind = given.has('d') ? 'directory' : 'file'
  const shown = `${before}${'X'.repeat(length)}${after}`
  const refuse = (words: string): Failure => new Failure(`failed to create ${kind} via template '${shown}': ${words}`)
  for (let tries = 0; tries < TRIES; tries++) {
    const { pending } = drawnOf(hostOf(context))
    const name = `${before}${letters(hostOf(context), length)}${after}`
    const path = pathOf(context, name)
    if (pending.has(path)) continue
    pending.add(path)
    try {
      if (await context.fs.exists(path)) continue
      if (!given.has('u')) await create(context, path, kind)
      return name
    } catch (error) {
      throw refuse(errorWords(error))
    } finally {
      pending.delete(path)
    }
  }
  throw refuse('File exists')
}

async function create({ fs }: CommandContext, path: string, kind: keyof typeof MODE): Promise<void> {
  if (kind === 'directory') await fs.mkdir(path)
  else await fs.writeFile(path, '')
  // Ignored: some storages have no modes.
  await fs.chmod(path, MODE[kind]).catch(() => undefined)
}

function drawnOf(host: Host): { readonly pending: Set<string>; made: number } {
  const names = drawn.get(host) ?? { pending: new Set<string>(), made: 0 }
  drawn.set(host, names)
  return names
}

/** Returns random letters for a name. The counter makes names unique even if the host's random numbers repeat. */
function letters(host: Host, length: number): string {
  const { random } = host
  let count = ++drawnOf(host).made
  let text = ''
  for (let i = 0; i < length; i++) {
    text += LETTERS[(Math.floor(random() * LETTERS.length) + count) % LETTERS.length]
    count = Math.floor(count / LETTERS.length)
  }
  return text
}
