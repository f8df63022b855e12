/** A hint that the shell adds for models: the list of all commands. */
const HINT = /^\(This is a virtual bash without a machine behind it\. There is no ".*\n/gm
const isHint = (line: string): boolean => line.includes(' Commands: ') && line.endsWith(", and bash's builtins.)\n")
const MISSING = /^bash: (.+): command not found$/gm

/** Rewrites standard error for human readers. */
export function plainErrors(text: string): string {
  return text.replace(HINT, (line) => (isHint(line) ? '' : line)).replace(MISSING, '$1: command not found (help lists what there is)')
}
