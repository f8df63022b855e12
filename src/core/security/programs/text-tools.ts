import { type Arg, mayBecomeOption } from '../args.js'
import { FINE, type Inspect } from './inspection.js'

/** Inspects `echo`. Its arguments are text, not paths. */
export const inspectEcho: Inspect = (args) => ({ texts: new Set(args) })

/** Options that do not take the next argument as their value. */
const GREP_FLAGS =
  /^(?:-[rRinlLcvwxoqshHEFGPaIUzbTy]+|-[ABCm]\d+|--(?:recursive|ignore-case|line-number|count|word-regexp|only-matching|quiet|extended-regexp|fixed-strings|perl-regexp|files-with-matches|invert-match|colou?r(?:=.*)?|(?:include|exclude|exclude-dir|max-count|context)=.*)|--)$/s

/** Inspects `grep`. Its pattern is not a path. The pattern is the first operand, unless an option contains a pattern. */
export const inspectGrep: Inspect = (args) => {
  const first = patternOf(args)
  const given = args.some(({ text }) => /^-[A-Za-z0-9]*[ef]/.test(text) || /^--(?:reg|file(?:=|$))/.test(text))
  const before = args.slice(0, first ? args.indexOf(first) : 0)
  return !given && first && before.every(({ text }) => GREP_FLAGS.test(text)) ? { texts: new Set([first]) } : FINE
}

/** Returns the first operand. After `--`, every argument is an operand, even one with a dash. */
function patternOf(args: readonly Arg[]): Arg | undefined {
  const i = args.findIndex(({ text }) => text === '--' || !text.startsWith('-'))
  return args[i]?.text === '--' ? args[i + 1] : args[i]
}

const FIND_RUNS = /^-(?:exec(?:dir)?|ok(?:dir)?)$/
const FIND_WRITES = /^-(?:delete|fprint0?|fprintf|fls|files0-from)$/

export const inspectFind: Inspect = (args) => {
  for (const arg of args) {
    const text = arg.text.toLowerCase()
    if (FIND_RUNS.test(text)) return { problem: `with ${text} runs another command: list the files first, then pass them to the command` }
    if (text === '-delete') return { problem: 'with -delete removes files: use a file tool' }
    if (FIND_WRITES.test(text)) return { problem: `with ${text} reads or writes files that are not checked` }
    if (mayBecomeOption(arg)) return { problem: 'with a glob that may become an option: put it in quotes, or begin it with "./"' }
  }
  return FINE
}

const AWK_RUNS = /system|getline|\||@|ARGV/
/** A redirection after `print`, but not the comparison `>=`. */
const AWK_WRITES = />(?!=)/

/** Inspects `awk`. Checks its program, which is the first operand. Rejects programs from files, and unknown options. */
export const inspectAwk: Inspect = (args) => {
  let i = 0
  const values: string[] = []
  for (let text = args[i]?.text; text?.startsWith('-') && text !== '-'; text = args[i]?.text) {
    i++
    if (text === '--') break
    if (text === '-F') i++
    else if (text === '-v') values.push(args[i++]?.text ?? '')
    else if (/^-v./s.test(text)) values.push(text)
    else if (text === '--version') return FINE
    else if (!/^-F./s.test(text)) return { problem: `with the option "${text}" cannot be checked: give the program as the first argument` }
  }
  const program = args[i]
  const text = [...values, program?.text ?? ''].join('\n')
  const runs = AWK_RUNS.exec(text.replaceAll('||', ''))
  if (runs) return { problem: `with "${runs[0]}" in its program may run or read something else` }
  const print = text.indexOf('print')
  if (print >= 0 && AWK_WRITES.test(text.slice(print))) return { problem: 'with ">" behind print may write files' }
  return program ? { texts: new Set([program]) } : FINE
}
