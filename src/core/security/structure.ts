import type { Construct, Expansion, Redirection, ShellLine } from '../../ops/shell-split.js'

const LONGEST = 60

const EXPANSIONS: Readonly<Record<Expansion['kind'], string>> = {
  backtick: 'command substitution is not allowed: run the inner command by itself first, then write its output into the next command',
  command: 'command substitution is not allowed: run the inner command by itself first, then write its output into the next command',
  process: 'process substitution is not allowed: run the inner command by itself first',
  parameter: 'variables are not expanded here: write the value itself, or put the text in single quotes',
  arithmetic: 'arithmetic is not expanded here: write the result itself, or put the text in single quotes',
  quote: '$\'...\' and $"..." are not allowed: use plain quotes',
}

const CONSTRUCTS: Readonly<Record<Construct['kind'], string>> = {
  subshell: 'parentheses are not allowed: run the commands one after another, or quote the character',
  group: 'groups are not allowed: run the commands one after another',
  function: 'functions cannot be defined: run the commands themselves',
  compound: 'conditions and loops are not allowed: run simple commands one after another',
  case: 'conditions and loops are not allowed: run simple commands one after another',
  array: 'arrays are not allowed: write the values themselves',
}

/** What in the form of the line, before any command in it is looked at, is not allowed; undefined: nothing. The first in the line. */
export function structureProblem(command: string, line: ShellLine): string | undefined {
  const found = [
    ...line.expansions.map((at) => ({ at: at.start, why: `${quote(command, at)}: ${EXPANSIONS[at.kind]}` })),
    ...line.constructs.map((at) => ({ at: at.start, why: `${quote(command, at)}: ${CONSTRUCTS[at.kind]}` })),
    ...line.segments.flatMap((segment) => [
      ...segment.redirections.filter(({ safe }) => !safe).map((at) => ({ at: at.start, why: redirectionProblem(command, at) })),
      ...(segment.separator === '&'
        ? [{ at: segment.end, why: '"&" is not allowed: commands run one after another, use "&&" or ";", and "2>&1" to merge streams' }]
        : []),
    ]),
  ]
  const [first] = found.sort((a, b) => a.at - b.at)
  if (first) return first.why
  return line.unparsable && `the command cannot be understood: ${line.unparsable.reason} (at character ${line.unparsable.at + 1})`
}

function redirectionProblem(command: string, redirection: Redirection): string {
  const text = quote(command, redirection)
  if (redirection.operator.startsWith('<'))
    return `${text}: input from files is not allowed: name the file as an argument, or use a heredoc`
  return `${text}: output to files is not allowed, only to /dev/null or another stream ("2>&1"): leave it out, or use a file tool to write`
}

function quote(command: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const text = command.slice(start, Math.min(end, start + LONGEST))
  return `"${text}${end - start > LONGEST ? '...' : ''}"`
}
