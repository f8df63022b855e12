import { textOf, textOfBytes } from '../shared/bytes.js'
import { type CommandContext, failed, type OwnCommand, type OwnResult } from '../shared/command.js'
import { command, Failure } from '../shared/failure.js'
import { pathOf } from '../shared/files.js'
import { parseOptions } from '../shared/options.js'
import { Pace } from '../shared/pace.js'
import { DivideByZero } from './decimal.js'
import { Halted, Interpreter, RuntimeFault } from './interpreter.js'
import { Parser } from './parse.js'

export const bcCommand: OwnCommand = command('bc', { usage: 'bc [options] [file ...]' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('bc', args, 'l|mathlib q|quiet s|standard w|warn i|interactive')
  const texts: string[] = []
  for (const name of given.operands) {
    const bytes = await context.fs.readFileBuffer(pathOf(context, name)).catch(() => undefined)
    if (!bytes) return failed(`File ${name} is unavailable.\n`)
    texts.push(textOfBytes(bytes))
  }
  texts.push(textOf(context.stdin))
  const out = new Lines(context)
  let stderr = ''
  const tell = (text: string): void => {
    stderr += `${text}\n`
  }
  const math = given.has('l')
  const warn = (text: string): void => tell(`Runtime warning (func=(main), adr=0): ${text}`)
  const interpreter = new Interpreter({ scale: math ? 20 : 0, math, pace: new Pace(context), print: (text) => out.print(text), warn })
  const result = (exitCode: number): OwnResult => ({ stdout: out.text, stderr, exitCode, stdoutKind: 'text' })
  try {
    const parser = new Parser(program(texts.join('')), ({ line, message }) => tell(`(standard_in) ${line}: ${message}`))
    for (let unit = parser.next(); unit; unit = parser.next()) {
      try {
        if (await interpreter.run(unit)) break
      } catch (error) {
        if (!(error instanceof RuntimeFault || error instanceof DivideByZero)) throw error
        tell(`Runtime error (func=(main), adr=${parser.address}): ${error.message}`)
      }
    }
    return result(0)
  } catch (error) {
    if (error instanceof Halted) return result(0)
    if (!(error instanceof Failure)) throw error
    tell(`bc: ${error.message}`)
    return result(1)
  }
}

/** Output lines, which are wrapped with backslashes at 69 characters, or at the length that `BC_LINE_LENGTH` gives. */
class Lines {
  readonly #parts: string[] = []
  readonly #width: number
  readonly #most: number
  #column = 0
  #size = 0

  constructor({ env, limits }: CommandContext) {
    const length = env.get('BC_LINE_LENGTH') ?? ''
    const width = /^\d+$/.test(length) ? Number(length) : 70
    this.#width = width === 0 ? Number.POSITIVE_INFINITY : Math.max(width, 3) - 2
    this.#most = limits.maxOutputSize ?? Number.POSITIVE_INFINITY
  }

  get text(): string {
    return this.#parts.join('')
  }

  print(text: string): void {
    this.#size += text.length
    if (this.#size > this.#most) throw new Failure(`the output is larger than the limit of ${this.#most} characters`)
    for (const [i, line] of text.split('\n').entries()) {
      if (i > 0) {
        this.#parts.push('\n')
        this.#column = 0
      }
      for (let at = 0; at < line.length; ) {
        if (this.#column >= this.#width) {
          this.#parts.push('\\\n')
          this.#column = 0
        }
        const piece = line.slice(at, at + this.#width - this.#column)
        this.#parts.push(piece)
        this.#column += piece.length
        at += piece.length
      }
    }
  }
}

/** Removes line continuations and comments. Comments keep their line breaks, so that line numbers stay correct. */
function program(text: string): string {
  return text
    .replaceAll('\\\n', '')
    .replaceAll(/#[^\n]*/g, '')
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
}
