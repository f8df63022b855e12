interface Operator {
  readonly text: string
  readonly redirects: boolean
}

const SEPARATORS = ['&&', '||', '|&', ';;&', ';;', ';&', ';', '|', '&']
const REDIRECTIONS = ['<<<', '<<-', '<<', '<&', '<>', '<', '&>>', '&>', '>>', '>|', '>&', '>']
const OPERATORS: readonly Operator[] = [
  ...REDIRECTIONS.map((text) => ({ text, redirects: true })),
  ...SEPARATORS.map((text) => ({ text, redirects: false })),
]
const BY_FIRST = new Map(['<', '>', '&', '|', ';'].map((first) => [first, OPERATORS.filter(({ text }) => text.startsWith(first))] as const))

/** The longest operator at this place: between commands, or a redirection. */
export function operatorAt(text: string, at: number): Operator | undefined {
  return BY_FIRST.get(text[at] ?? '')?.find((operator) => text.startsWith(operator.text, at))
}
