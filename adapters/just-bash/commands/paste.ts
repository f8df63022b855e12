import { batches, Printout, pacedLines } from './shared/bulk.js'
import { packed } from './shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { told } from './shared/files.js'
import { parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { bytesNamed, Report } from './shared/text-io.js'

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '0': '', '\\': '\\', b: '\b', f: '\f', r: '\r', v: '\v' }

export const pasteCommand: OwnCommand = command('paste', { usage: 'paste [OPTION]... [FILE]...' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('paste', args, 's|serial d|delimiters= z|zero-terminated')
  const end = given.has('z') ? '\0' : '\n'
  const between = delimiters(given.value('d') ?? '\t')
  const names = given.operands.length === 0 ? ['-'] : given.operands
  const files: Lines[] = []
  let input: Lines | undefined
  for (const name of names) {
    const lines =
      name === '-' && input ? input : new Lines(await pacedLines(context, await told(name, () => bytesNamed(context, name)), end))
    if (name === '-') input = lines
    files.push(lines)
  }
  const out = new Printout(context)
  if (given.has('s')) {
    for (const lines of files) {
      let at = 0
      for await (const batch of batches(context, lines.rest()))
        for (const cell of batch) {
          if (at > 0) out.put(between[(at - 1) % between.length] as string)
          out.put(cell)
          at++
        }
      out.put(end)
    }
    return new Report('paste').result(out.text())
  }
  const pace = new Pace(context)
  // A name that is given several times yields one line per column: `paste - -` prints pairs.
  for (let row = 1; files.some((lines) => !lines.ended); row++) {
    for (const [i, lines] of files.entries()) out.put((i === 0 ? '' : (between[(i - 1) % between.length] as string)) + lines.next())
    out.put(end)
    if (row % 256 === 0) await pace.turn(200)
  }
  return new Report('paste').result(out.text())
}

/** Reads lines one by one. */
class Lines {
  readonly #lines: readonly string[]
  #at = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  get ended(): boolean {
    return this.#at >= this.#lines.length
  }

  next(): string {
    return this.#lines[this.#at++] ?? ''
  }

  rest(): readonly string[] {
    const rest = this.#lines.slice(this.#at)
    this.#at = this.#lines.length
    return rest
  }
}

function delimiters(text: string): readonly string[] {
  if (text.endsWith('\\') && !/(?:^|[^\\])(?:\\\\)+$/.test(text))
    throw new Failure(`delimiter list ends with an unescaped backslash: ${text}`)
  const bytes = packed(text)
  const list = bytes.match(/\\[\s\S]|[\s\S]/g) ?? ['']
  return list.map((each) => (each.length === 2 ? (ESCAPES[each[1] as string] ?? (each[1] as string)) : each))
}
