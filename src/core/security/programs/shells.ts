import type { Arg } from '../args.js'
import { FINE, type Inspect, type Inspection, MEDIUM } from './inspection.js'

const STREAMS = /^(?:-|\/dev\/(?:stdin|tty|fd\/.*)|\/proc\/.*)$/

/** Why a file cannot be the program that an interpreter runs. */
export function scriptProblem(script: Arg | undefined): string | undefined {
  if (script === undefined) return 'without a file reads its program from its input: write it to a file and run that'
  if (STREAMS.test(script.text)) return `with "${script.text}" reads its program from its input: write it to a file and run that`
  return undefined
}

function inspectShell(args: readonly Arg[]): Inspection {
  let isCommand = false
  for (const [i, { text }] of args.entries()) {
    if (text === '--version' || text === '--help') return FINE
    if (text === '-') break
    if (!/^[-+]/.test(text)) {
      if (isCommand) return { script: text, texts: new Set(args.slice(i)) }
      const problem = scriptProblem(args[i])
      return problem === undefined ? MEDIUM : { problem }
    }
    if (!/^(?:-[ceulxnvfm]+|\+[euxvfm]+|--(?:posix|norc|noprofile|login))$/.test(text))
      return { problem: `with the option "${text}" cannot be checked` }
    isCommand ||= /^-[a-z]*c/.test(text)
  }
  return { problem: 'reads its commands from its input: run them one by one' }
}

/** An interpreter whose options are not known one by one: a file and its arguments, or a question about itself. */
function inspectInterpreter(args: readonly Arg[]): Inspection {
  const [first] = args
  if (args.length === 1 && /^(?:--version|--help|-v|-V|-h)$/.test(first?.text ?? '')) return FINE
  if (first?.text.startsWith('-') && first.text !== '-') {
    return { problem: `with the option "${first.text}" cannot be checked: write the program to a file and run that` }
  }
  const problem = scriptProblem(first)
  return problem === undefined ? FINE : { problem }
}

const each = (names: string, inspect: Inspect): Record<string, Inspect> =>
  Object.fromEntries(names.split(' ').map((name) => [name, inspect]))

export const SHELLS: Readonly<Record<string, Inspect>> = {
  ...each('sh bash zsh dash ksh ash mksh rbash yash', inspectShell),
  ...each(
    'perl ruby php lua luajit tclsh wish rscript r julia groovy scala ghci runghc guile racket sbcl clisp osascript fish',
    inspectInterpreter,
  ),
  ...each('elvish nu xonsh ts-node tsx swift erl elixir iex jshell expect', inspectInterpreter),
}
