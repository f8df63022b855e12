import { type OwnCommand, printed } from './shared/command.js'
import { command } from './shared/failure.js'
import { checkOperands, parseOptions } from './shared/options.js'

const FACTS: Readonly<Record<string, string>> = {
  s: 'Linux',
  n: 'localhost',
  r: '6.0.0',
  v: '#1',
  m: 'x86_64',
  p: 'unknown',
  i: 'unknown',
  o: 'GNU/Linux',
}
const OPTIONS =
  'a|all s|kernel-name|sysname n|nodename r|kernel-release|release v|kernel-version m|machine p|processor i|hardware-platform o|operating-system'
/** Fields of `-a`, without unknown ones. */
const ALL = 'snrvmo'

/** Facts about a fictional machine, for scripts that check them. */
export const unameCommand: OwnCommand = command('uname', { usage: 'uname [OPTION]...' }, async (args) => {
  const given = parseOptions('uname', args, OPTIONS)
  checkOperands('uname', given.operands, 0, 0)
  const letters = given.options.length === 0 ? 's' : given.options.map(({ id }) => (id === 'a' ? ALL : id)).join('')
  const facts = Object.entries(FACTS).filter(([letter]) => letters.includes(letter))
  return printed(`${facts.map(([, fact]) => fact).join(' ')}\n`)
})
