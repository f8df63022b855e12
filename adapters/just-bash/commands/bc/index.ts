import { textOf, textOfBytes } from '../bytes.js'
import { failed, type OwnCommand } from '../command.js'
import { command, Failure } from '../failure.js'
import { pathOf } from '../files.js'
import { parseOptions } from '../options.js'
import { Pace } from '../pace.js'
import { Interpreter, SyntaxFault } from './interpreter.js'

/** Of the calculator of POSIX: expressions, variables, `scale`, bases. No functions, loops or arrays. */
export const bcCommand: OwnCommand = command('bc', { usage: 'bc [options] [file ...]' }, async (args, context) => {
  const given = parseOptions('bc', args, 'l|mathlib q|quiet s|standard w|warn i|interactive')
  const texts: string[] = []
  for (const name of given.operands) {
    const bytes = await context.fs.readFileBuffer(pathOf(context, name)).catch(() => undefined)
    if (!bytes)
      return failed(`File ${name} is unavailable.
`)
    texts.push(textOfBytes(bytes))
  }
  texts.push(textOf(context.stdin))
  const interpreter = new Interpreter(given.has('l') ? 20 : 0)
  const pace = new Pace(context)
  let stdout = ''
  let stderr = ''
  const print = (text: string): void => {
    stdout += text
  }
  for (const [index, line] of program(texts.join('')).split('\n').entries()) {
    try {
      if (interpreter.run(line, index + 1, print)) break
    } catch (error) {
      if (error instanceof Failure) return { stdout, stderr: `${stderr}bc: ${error.message}\n`, exitCode: 1, stdoutKind: 'text' }
      if (error instanceof SyntaxFault) stderr += `(standard_in) ${index + 1}: ${error.message}\n`
      else stderr += `Runtime error (func=(main), adr=${line.length}): ${(error as Error).message}\n`
    }
    await pace.turn(1000)
  }
  return { stdout, stderr, exitCode: 0, stdoutKind: 'text' }
})

/** Without what joins lines, and without comments, whose lines count all the same. */
function program(text: string): string {
  return text
    .replaceAll('\\\n', '')
    .replaceAll(/#[^\n]*/g, '')
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
}
