import { failed, type OwnCommand, printed } from './command.js'

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
const LONG: Readonly<Record<string, string>> = {
  '--all': 'snrvmo',
  '--kernel-name': 's',
  '--nodename': 'n',
  '--kernel-release': 'r',
  '--kernel-version': 'v',
  '--machine': 'm',
  '--processor': 'p',
  '--hardware-platform': 'i',
  '--operating-system': 'o',
}

/** Of a machine that is not there: what scripts compare with. */
export const unameCommand: OwnCommand = {
  name: 'uname',
  async execute(args) {
    const wanted = new Set<string>()
    for (const arg of args) {
      const letters = LONG[arg] ?? (/^-[asnrvmpio]+$/.test(arg) ? arg.slice(1).replace('a', 'snrvmo') : undefined)
      if (letters === undefined) return failed(`uname: ${arg.startsWith('-') ? 'unrecognized option' : 'extra operand'} '${arg}'\n`)
      for (const letter of letters) wanted.add(letter)
    }
    const shown = wanted.size === 0 ? ['s'] : Object.keys(FACTS).filter((letter) => wanted.has(letter))
    return printed(`${shown.map((letter) => FACTS[letter]).join(' ')}\n`)
  },
}
