import { binaryOf, bytesOf } from '../shared/bytes.js'
import type { CommandContext, OwnResult } from '../shared/command.js'
import { errorWords } from '../shared/errno.js'
import { Failure } from '../shared/failure.js'
import { pathOf, statOf } from '../shared/files.js'
import { type Given, parseOptions } from '../shared/options.js'
import { Pace } from '../shared/pace.js'
import { type Applied, type ApplyOptions, applyFile } from './apply-file.js'
import { type FilePatch, hunkText, readPatch, reversed } from './read-patch.js'

const SPECS =
  'b|backup d|directory= dry-run E|remove-empty-files f|force F|fuzz= i|input= l|ignore-whitespace N|forward no-backup-if-mismatch ' +
  'o|output= p|strip= r|reject-file= R|reverse s|quiet|silent t|batch u|unified binary verbose z|suffix='
const DEFAULT_FUZZ = 2

interface Run {
  readonly context: CommandContext
  readonly given: Given
  readonly options: ApplyOptions
  readonly strip: number | undefined
  readonly dry: boolean
  readonly pace: Pace
  readonly say: (line: string) => void
  /** Prints a line to standard error. */
  readonly aside: (line: string) => void
  /** Prints bytes to standard output. */
  readonly emit: (content: string) => void
}

export async function runPatch(args: readonly string[], outer: CommandContext): Promise<OwnResult> {
  const given = parseOptions('patch', args, SPECS, { status: 2, hint: "patch: Try 'patch --help' for more information." })
  const [original, patchFile, extra] = given.operands
  if (extra !== undefined) throw new Failure(`${extra}: extra operand\npatch: Try 'patch --help' for more information.`, 2)
  const context = await inDirectory(outer, given.value('d'))
  const source = given.value('i') ?? patchFile
  const text = source === undefined || source === '-' ? outer.stdin : await patchText(context, source)
  const lines: string[] = []
  const aside: string[] = []
  const emitted: string[] = []
  const run: Run = {
    context,
    given,
    options: {
      fuzz: number(given.value('F'), 'fuzz factor') ?? DEFAULT_FUZZ,
      ignoreSpace: given.has('l'),
      whenReversed: given.has('N') ? 'skip' : given.has('f') ? 'force' : given.has('t') ? 'reverse' : 'ask',
      isReverse: given.has('R'),
    },
    strip: number(given.value('p'), 'strip count'),
    dry: given.has('dry-run'),
    pace: new Pace(context),
    say: (line) => lines.push(line),
    aside: (line) => aside.push(`${line}\n`),
    emit: (content) => emitted.push(content),
  }
  let failures = 0
  try {
    for (const section of readPatch(text)) {
      const file = given.has('R') ? reversed(section) : section
      if (!(await patchOne(run, file, original))) failures++
    }
  } catch (error) {
    // Print earlier messages even if a later section fails.
    if (!(error instanceof Failure)) throw error
    return { stdout: told(lines, given), stderr: `${aside.join('')}patch: ${error.message}\n`, exitCode: error.status, stdoutKind: 'bytes' }
  }
  return { stdout: emitted.join('') + told(lines, given), stderr: aside.join(''), exitCode: failures > 0 ? 1 : 0, stdoutKind: 'bytes' }
}

const told = (lines: readonly string[], given: Given): string => {
  const shown = given.has('s') ? lines.filter((line) => !/^(?:patching file|checking file|Hunk #)/.test(line)) : lines
  return shown.length > 0 ? binaryOf(new TextEncoder().encode(`${shown.join('\n')}\n`)) : ''
}

async function inDirectory(context: CommandContext, name: string | undefined): Promise<CommandContext> {
  if (name === undefined) return context
  if (!(await statOf(context, name))?.isDirectory)
    throw new Failure(`**** Can't change to directory ${name} : No such file or directory`, 2)
  return Object.create(context, { cwd: { value: pathOf(context, name) } }) as CommandContext
}

async function patchText(context: CommandContext, name: string): Promise<string> {
  try {
    return binaryOf(await context.fs.readFileBuffer(pathOf(context, name)))
  } catch (error) {
    throw new Failure(`**** Can't open patch file ${name} : ${errorWords(error)}`, 2)
  }
}

function number(text: string | undefined, what: string): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text)) throw new Failure(`**** ${what} ${text} is not a number`, 2)
  return Number(text)
}

/** Applies the patch of one file. Resolves to false if any part was not applied. */
async function patchOne(run: Run, section: FilePatch, original: string | undefined): Promise<boolean> {
  const { context, given, dry } = run
  const name = original ?? (await nameOf(run, section))
  if (name === undefined) return notFound(run, section)
  const output = given.value('o')
  // With the patched file on standard output, messages go to standard error.
  const say = output === '-' ? run.aside : run.say
  const path = pathOf(context, name)
  const stat = await statOf(context, name)
  if (stat?.isDirectory) throw new Failure(`**** ${name} is not a regular file`, 2)
  const old = stat ? binaryOf(await context.fs.readFileBuffer(path)) : ''
  const file = (section.creates && old !== '') || (section.deletes && !stat) ? contradicted(run, section, name, say) : section
  if (!file) return false
  const target = file.renamed && original === undefined ? (stripped(file.to ?? name, run.strip) ?? name) : name
  const origin = output !== undefined ? ` (read from ${name})` : target === name ? '' : ` (renamed from ${name})`
  say(`${dry ? 'checking' : 'patching'} file ${output ?? target}${origin}`)
  if (file.fault) throw file.fault
  const options: ApplyOptions = file === section ? run.options : { ...run.options, whenReversed: 'force' }
  const applied = await applyFile(old, file, options, run.pace)
  for (const line of applied.messages) say(line)
  const goes = file.deletes && applied.text === '' && !applied.skipped
  const wrong = file.deletes && stat !== undefined && !goes && !applied.skipped
  if (wrong) say(`Not deleting file ${target} as content differs from patch`)
  if (!dry) await write(run, { name, target, old: stat ? old : undefined, applied, goes, deletes: file.deletes })
  const rejected = await reject({ ...run, say }, file, target, applied)
  return !(rejected || wrong) || (given.has('f') && !rejected && !wrong)
}

interface Writing {
  readonly name: string
  readonly target: string
  readonly old: string | undefined
  readonly applied: Applied
  readonly goes: boolean
  readonly deletes: boolean
}

async function write({ context, given, emit }: Run, { name, target, old, applied, goes, deletes }: Writing): Promise<void> {
  const { fs } = context
  if (applied.skipped) return
  const output = given.value('o')
  const path = pathOf(context, output ?? target)
  const keeps = given.has('b') || (applied.mismatched && !given.has('no-backup-if-mismatch'))
  const parent = (output ?? target).replace(/\/?[^/]*$/, '')
  if (parent !== '' && !goes) await fs.mkdir(pathOf(context, parent), { recursive: true })
  if (keeps && output === undefined) await fs.writeFile(pathOf(context, `${name}${given.value('z') ?? '.orig'}`), bytesOf(old ?? ''))
  if (old === undefined && output === undefined && applied.failed.length > 0 && applied.text === '') {
    // GNU patch reopens the file after the backup and fails if it does not exist.
    if (keeps && !deletes) throw new Failure(`**** Can't reopen file ${name} : No such file or directory`, 2)
    return
  }
  const empties = given.has('E') && applied.text === ''
  if ((goes || empties) && output === undefined) {
    if (old !== undefined) await fs.rm(pathOf(context, name))
    await removeEmptyParents(context, name)
    return
  }
  if (output === '-') {
    emit(applied.text)
    return
  }
  if (applied.text === old && target === name && output === undefined) return
  const mode = old === undefined ? undefined : (await fs.stat(pathOf(context, name))).mode
  await fs.writeFile(path, bytesOf(applied.text))
  if (target === name || output !== undefined) return
  if (mode !== undefined) await fs.chmod(path, mode).catch(() => undefined)
  await fs.rm(pathOf(context, name))
  await removeEmptyParents(context, name)
}

async function removeEmptyParents(context: CommandContext, name: string): Promise<void> {
  for (let parent = name.replace(/\/?[^/]*$/, ''); parent !== '' && parent !== '/'; parent = parent.replace(/\/?[^/]*$/, '')) {
    const path = pathOf(context, parent)
    if ((await context.fs.readdir(path)).length > 0) return
    await context.fs.rm(path, { recursive: true })
  }
}

/** Reports the failed hunks and saves them in a `.rej` file. Resolves to whether there were failed hunks. */
async function reject(
  { context, given, dry, say, strip }: Run,
  file: FilePatch,
  target: string,
  { failed, skipped }: Applied,
): Promise<boolean> {
  if (failed.length === 0) return false
  const all = file.hunks.length
  const count = `${failed.length} out of ${all} hunk${all === 1 ? '' : 's'} ${skipped ? 'ignored' : 'FAILED'}`
  const rejects = given.value('r') ?? `${given.value('o') ?? target}.rej`
  if (dry || rejects === '-') {
    say(count)
    return true
  }
  say(`${count} -- saving rejects to file ${rejects}`)
  const nameIn = (name: string | undefined): string => (name === undefined ? '/dev/null' : (stripped(name, strip) ?? name))
  const names = `--- ${nameIn(file.from)}${file.stamps[0]}\n+++ ${nameIn(file.to)}${file.stamps[1]}\n`
  const head = binaryOf(new TextEncoder().encode(names))
  await context.fs.writeFile(pathOf(context, rejects), bytesOf(head + failed.map(hunkText).join('')))
  return true
}

function notFound({ say, given }: Run, file: FilePatch): boolean {
  const all = file.hunks.length
  say(`can't find file to patch at input line ${file.leadEnd + 1}`)
  say(given.has('p') ? 'Perhaps you used the wrong -p or --strip option?' : 'Perhaps you should have used the -p or --strip option?')
  say('The text leading up to this was:')
  say('--------------------------')
  for (const line of file.lead) say(`|${line}`)
  say('--------------------------')
  if (given.has('f') || given.has('t')) say('No file to patch.  Skipping patch.')
  else {
    say('File to patch: ')
    say('Skip this patch? [y] ')
    say('Skipping patch.')
  }
  say(`${all} out of ${all} hunk${all === 1 ? '' : 's'} ignored`)
  return false
}

/** Handles a patch that creates an existing file or deletes a missing file. Returns undefined if the patch must be skipped. */
function contradicted({ options }: Run, file: FilePatch, name: string, say: Run['say']): FilePatch | undefined {
  const { whenReversed, isReverse } = options
  const fact = file.creates ? 'already exists' : 'does not exist'
  say(`The next patch${isReverse ? ', when reversed,' : ''} would ${file.creates ? 'create' : 'delete'} the file ${name},`)
  if (whenReversed === 'force' || whenReversed === 'reverse') {
    say(`which ${fact}!  ${whenReversed === 'force' ? 'Applying it anyway.' : isReverse ? 'Ignoring -R.' : 'Assuming -R.'}`)
    return whenReversed === 'force' ? file : reversed(file)
  }
  if (whenReversed === 'skip') say(`which ${fact}!  Skipping patch.`)
  else {
    say(`which ${fact}!  ${isReverse ? 'Ignore' : 'Assume'} -R? [n] `)
    say('Apply anyway? [n] ')
    say('Skipping patch.')
  }
  const all = file.hunks.length
  say(`${all} out of ${all} hunk${all === 1 ? '' : 's'} ignored`)
  return undefined
}

/**
 * Selects the file to patch: of the existing names, the one with the fewest directories, then the shortest base name, then the shortest
 * path.
 */
async function nameOf({ context, strip, say }: Run, { from, to, creates, renamed, hunks }: FilePatch): Promise<string | undefined> {
  const names: string[] = []
  for (const name of new Set(renamed ? [from] : [from, to])) {
    const one = name === undefined ? undefined : stripped(name, strip)
    if (one === undefined) continue
    if (one.startsWith('/') || one.split('/').includes('..')) say(`Ignoring potentially dangerous file name ${one}`)
    else names.push(one)
  }
  names.sort((a, b) => a.split('/').length - b.split('/').length || baseOf(a).length - baseOf(b).length || a.length - b.length)
  for (const name of names) if (await statOf(context, name)) return name
  const isNew = creates || (hunks[0]?.oldStart === 0 && hunks.length === 1)
  return isNew ? names[0] : undefined
}

const baseOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

/**
 * Strips `strip` directories from a name (`-p`). Returns undefined if the name has fewer directories. Without `strip`, keeps only the base
 * name.
 */
function stripped(name: string, strip: number | undefined): string | undefined {
  if (strip === undefined) return baseOf(name)
  let rest = name
  for (let i = 0; i < strip; i++) {
    const found = /^[^/]*\/+(.*)$/.exec(rest)
    if (!found) return undefined
    rest = found[1] as string
  }
  return rest === '' ? undefined : rest
}
