import type { OwnCommand } from './shared/command.js'
import { command } from './shared/failure.js'
import { statOf } from './shared/files.js'
import { checkOperands, parseOptions } from './shared/options.js'
import { Report } from './shared/text-io.js'

const MAX_PATH = 4096
const MAX_NAME = 255

export const pathchkCommand: OwnCommand = command('pathchk', { usage: 'pathchk [OPTION]... NAME...' }, async (args, context) => {
  const given = parseOptions('pathchk', args, 'p P portability')
  checkOperands('pathchk', given.operands, 1)
  const all = given.has('portability')
  const [portable, plain] = [given.has('p') || all, given.has('P') || all]
  const report = new Report('pathchk')
  for (const path of given.operands) {
    const fault =
      (plain ? faultOfName(path) : undefined) ?? (portable ? faultOfCharacters(path) : undefined) ?? faultOfLength(path, portable)
    if (fault !== undefined) report.fail(fault)
    else if (path === '') report.fail(': No such file or directory')
    else if (!portable && (await isUnderFile(path))) report.fail(`${path}: Not a directory`)
  }
  return report.result('')

  async function isUnderFile(path: string): Promise<boolean> {
    for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
      const stat = await statOf(context, path.slice(0, at))
      if (stat && !stat.isDirectory) return true
      if (!stat) return false
    }
    return false
  }
})

function faultOfName(path: string): string | undefined {
  if (path === '') return 'empty file name'
  return /(?:^|\/)-/.test(path) ? `leading '-' in a component of file name '${path}'` : undefined
}

function faultOfCharacters(path: string): string | undefined {
  if (path === '') return 'empty file name'
  const odd = /[^A-Za-z0-9._/-]/u.exec(path)?.[0]
  return odd === undefined ? undefined : `nonportable character '${odd}' in file name '${path}'`
}

function faultOfLength(path: string, portable: boolean): string | undefined {
  const length = (text: string): number => new TextEncoder().encode(text).length
  const [most, mostOfName] = portable ? [256, 14] : [MAX_PATH, MAX_NAME]
  if (length(path) >= most) return `limit ${most - 1} exceeded by length ${length(path)} of file name '${path}'`
  const long = path.split('/').find((name) => length(name) > mostOfName)
  return long === undefined ? undefined : `limit ${mostOfName} exceeded by length ${length(long)} of file name component '${long}'`
}
