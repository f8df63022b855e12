/** What to do without a command that is often tried; a clause that ends the first sentence of the hint. */
const INSTEAD: Readonly<Record<string, string>> = {
  git: 'the program that runs this shell has to give it (gitCommand)',
  bzip2: 'use gzip',
  xz: 'use gzip',
  node: 'the program that runs this shell has to give it (jsCommands)',
  npm: 'nothing can be installed here',
  npx: 'nothing can be installed here',
  python: 'use awk, sed or jq',
  python3: 'use awk, sed or jq',
  perl: 'use awk, sed or jq',
  pip: 'nothing can be installed here',
  apt: 'nothing can be installed here',
  'apt-get': 'nothing can be installed here',
  curl: 'there is no network',
  wget: 'there is no network',
  make: 'run its commands one by one',
  sudo: 'leave it out, nothing needs it',
  namei: 'use readlink -f',
  ulimit: 'nothing can be limited',
  times: 'use SECONDS',
  caller: 'use FUNCNAME',
  vi: 'use sed, or a here-document',
  vim: 'use sed, or a here-document',
  nano: 'use sed, or a here-document',
}

/** The line that follows `command not found`: what this shell is, and what it has. */
export function missingCommandHint(name: string, commands: readonly string[]): string {
  const instead = Object.hasOwn(INSTEAD, name) ? `: ${INSTEAD[name]}` : ''
  return `(This is a virtual bash without a machine behind it. There is no "${name}"${instead}. Commands: ${commands.join(' ')}, and bash's builtins.)\n`
}
