import type { Arg } from '../args.js'
import { FINE, type Inspect, type Inspection } from './inspection.js'

interface WrapperOptions {
  /** Options without a value, or with a joined value. */
  readonly flags?: RegExp
  /** Options whose value is the next argument. */
  readonly values?: readonly string[]
  /** Number of arguments before the command. */
  readonly operands?: number
  /** Whether the program may run without a command. */
  readonly alone?: boolean
}

/** Inspects a program that only runs the command in its arguments. */
const wrapper =
  ({ flags, values = [], operands = 0, alone = false }: WrapperOptions = {}): Inspect =>
  (args) => {
    let i = 0
    for (let text = args[i]?.text; text?.startsWith('-') && text !== '-'; text = args[i]?.text) {
      i++
      if (text === '--') break
      if (values.includes(text)) i++
      else if (!flags?.test(text)) return { problem: `with the option "${text}" cannot be checked` }
    }
    const runs = args.slice(i + operands)
    if (runs.length > 0) return { runs }
    return alone && args.length === 0 ? FINE : { problem: 'names no command to run' }
  }

const ASSIGNMENT = /^[A-Za-z_]\w*=/

function inspectEnv(args: readonly Arg[]): Inspection {
  let i = 0
  const sets: string[] = []
  for (let text = args[i]?.text; text !== undefined; text = args[i]?.text) {
    if (text === '-u' || text === '--unset') i += 2
    else if (text === '--') i++
    else if (/^(?:-|-i|-0|-v|--ignore-environment|--null|--debug|-u.+|--unset=.*)$/.test(text)) i++
    else if (text.startsWith('-')) return { problem: `with the option "${text}" cannot be checked` }
    else if (text.includes('=')) {
      if (!ASSIGNMENT.test(text)) return { problem: `sets "${text}", which is not a variable` }
      sets.push(text)
      i++
    } else break
  }
  const runs = args.slice(i)
  return runs.length > 0 ? { runs, sets } : { sets }
}

function inspectCommand(args: readonly Arg[]): Inspection {
  if (/^-[vV]+$/.test(args[0]?.text ?? '')) return { texts: new Set(args) }
  return wrapper({ flags: /^-p$/ })(args, 'command')
}

/** Inspects `busybox` and `toybox`. The first argument, the applet's name, is checked like a command. */
function inspectBox(args: readonly Arg[]): Inspection {
  const first = args[0]?.text ?? ''
  if (args.length === 0 || first === '--list' || first === '--help') return FINE
  if (first.startsWith('-') || first.includes('/')) return { problem: `with "${first}" cannot be checked` }
  return { runs: args }
}

const DURATION = { flags: /^(?:-[a-z].+|--[a-z-]+(?:=.*)?|-v|-f|-p)$/, values: ['-s', '-k', '--signal', '--kill-after'], operands: 1 }

export const WRAPPERS: Readonly<Record<string, Inspect>> = {
  env: inspectEnv,
  command: inspectCommand,
  busybox: inspectBox,
  toybox: inspectBox,
  timeout: wrapper(DURATION),
  gtimeout: wrapper(DURATION),
  nohup: wrapper(),
  setsid: wrapper({ flags: /^(?:-[cfw]+|--ctty|--fork|--wait)$/ }),
  time: wrapper({ flags: /^-p$/, alone: true }),
  exec: wrapper({ flags: /^-[cl]+$/, values: ['-a'] }),
  builtin: wrapper(),
  noglob: wrapper(),
  nocorrect: wrapper(),
  '-': wrapper(),
  nice: wrapper({ flags: /^(?:-n.+|--adjustment=.+|-\d+|--\d+)$/, values: ['-n', '--adjustment'], alone: true }),
  ionice: wrapper({ flags: /^(?:-[cn].+|-t|--class(?:data)?=.+|--ignore)$/, values: ['-c', '-n', '--class', '--classdata'] }),
  stdbuf: wrapper({ flags: /^(?:-[ioe].+|--(?:input|output|error)=.+)$/, values: ['-i', '-o', '-e', '--input', '--output', '--error'] }),
  caffeinate: wrapper({ flags: /^-[dimsu]+$/, values: ['-t'], alone: true }),
  sudo: wrapper({ flags: /^-[nEHkSbA]+$/, values: ['-u', '-g'] }),
  doas: wrapper({ flags: /^-n$/, values: ['-u'] }),
}
