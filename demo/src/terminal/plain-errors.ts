/** A line that the shell adds for models: all commands that there are. */
const HINT = /^\(This is a virtual bash without a machine behind it\. There is no ".*\n/gm
const isHint = (line: string): boolean => line.includes(' Commands: ') && line.endsWith(", and bash's builtins.)\n")
const MISSING = /^bash: (.+): command not found$/gm

/** Standard error as it is shown to somebody at a terminal. */
export function plainErrors(text: string): string {
  return text.replace(HINT, (line) => (isHint(line) ? '' : line)).replace(MISSING, '$1: command not found (help lists what there is)')
}
