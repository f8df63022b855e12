/** What the shell adds for models: all commands that there are. */
const COMMANDS = /^\(This is a virtual bash without a machine behind it\. There is no ".*?Commands: .*, and bash's builtins\.\)\n/gms
const MISSING = /^bash: (.+): command not found$/gm

/** Standard error as it is shown to somebody at a terminal. */
export function plainErrors(text: string): string {
  return text.replace(COMMANDS, '').replace(MISSING, '$1: command not found (help lists what there is)')
}
