import { packed } from './shared/bytes.js'
import { type OwnCommand, printedBytes } from './shared/command.js'
import { command } from './shared/failure.js'
import { checkOperands, parseOptions } from './shared/options.js'

const END = 'z|zero'

export const dirnameCommand: OwnCommand = command('dirname', { usage: 'dirname [OPTION] NAME...' }, async (args) => {
  const given = parseOptions('dirname', args, END)
  checkOperands('dirname', given.operands, 1)
  const end = given.has('z') ? '\0' : '\n'
  return printedBytes(given.operands.map((name) => packed(folderOf(name)) + end).join(''))
})

export const basenameCommand: OwnCommand = command(
  'basename',
  { usage: 'basename NAME [SUFFIX]\n  or:  basename OPTION... NAME...' },
  async (args) => {
    const given = parseOptions('basename', args, `a|multiple s|suffix= ${END}`, { stopAtOperand: true })
    const many = given.has('a') || given.has('s')
    checkOperands('basename', given.operands, 1, many ? undefined : 2)
    const suffix = given.value('s') ?? (many ? '' : (given.operands[1] ?? ''))
    const names = many ? given.operands : given.operands.slice(0, 1)
    const end = given.has('z') ? '\0' : '\n'
    return printedBytes(names.map((name) => packed(lastOf(name, suffix)) + end).join(''))
  },
)

function folderOf(name: string): string {
  const folder = name.replace(/\/+$/, '').replace(/[^/]*$/, '')
  return folder.replace(/\/+$/, '') || (folder !== '' || /^\/+$/.test(name) ? '/' : '.')
}

function lastOf(name: string, suffix: string): string {
  const last = name.replace(/\/+$/, '').replace(/^.*\//s, '')
  if (last === '') return name === '' ? '' : '/'
  return suffix !== '' && last !== suffix && last.endsWith(suffix) ? last.slice(0, -suffix.length) : last
}
