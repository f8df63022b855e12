import { bytesOf } from './shared/bytes.js'
import type { OwnCommand } from './shared/command.js'
import { errorWords } from './shared/errno.js'
import { command } from './shared/failure.js'
import { pathOf } from './shared/files.js'
import { parseOptions } from './shared/options.js'
import { Report } from './shared/text-io.js'

/** Prints its input and writes the other files even if one file cannot be written. */
export const teeCommand: OwnCommand = command('tee', { usage: 'tee [OPTION]... [FILE]...' }, async (args, context) => {
  const given = parseOptions('tee', args, 'a|append i|ignore-interrupts p output-error=?')
  const { fs, stdin } = context
  const report = new Report('tee')
  for (const name of given.operands) {
    try {
      const bytes = bytesOf(stdin)
      await (given.has('a') ? fs.appendFile(pathOf(context, name), bytes) : fs.writeFile(pathOf(context, name), bytes))
    } catch (error) {
      report.fail(`${name}: ${errorWords(error)}`)
    }
  }
  return report.result(stdin)
})
