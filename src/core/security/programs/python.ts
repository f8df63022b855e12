import type { Arg } from '../args.js'
import { FINE, type Inspection } from './inspection.js'
import { scriptProblem } from './shells.js'

const FILE = 'write the program to a file and run that'

/** Options end at the first argument that is none: what follows is the script's own. */
export function inspectPython(args: readonly Arg[]): Inspection {
  for (let i = 0; i < args.length; i++) {
    const text = args[i]?.text ?? ''
    if (/^--(?:version|help|help-all|help-env|help-xoptions)$/.test(text)) return FINE
    if (text.startsWith('--')) return { problem: `with the option "${text}" cannot be checked` }
    if (!text.startsWith('-') || text === '-') return fileLook(args[i])
    const cluster = inspectCluster(text.slice(1))
    if (cluster === 'informs') return FINE
    if (typeof cluster === 'object') return cluster
    if (cluster === 'value') {
      const value = args[++i]?.text ?? ''
      if (value.startsWith('presite')) return { problem: 'with -X presite runs a module' }
    }
  }
  return fileLook(undefined)
}

function fileLook(script: Arg | undefined): Inspection {
  const problem = scriptProblem(script)
  return problem === undefined ? FINE : { problem }
}

/** The letters of one argument: `-Bc` is `-B -c`. */
function inspectCluster(letters: string): Inspection | 'informs' | 'value' | 'flags' {
  for (const [i, letter] of [...letters].entries()) {
    if (letter === 'c') return { problem: `with -c runs a program from its arguments: ${FILE}` }
    if (letter === 'm') return { problem: `with -m runs a module: ${FILE}` }
    if (letter === 'i') return { problem: 'with -i reads commands from its input' }
    if ('hV?'.includes(letter)) return 'informs'
    if (letter === 'W' || letter === 'X') {
      const value = letters.slice(i + 1)
      if (value.startsWith('presite')) return { problem: 'with -X presite runs a module' }
      return value === '' ? 'value' : 'flags'
    }
    if (!'bBdEIOPqRsStuvx'.includes(letter)) return { problem: `with the option "-${letter}" cannot be checked` }
  }
  return 'flags'
}
