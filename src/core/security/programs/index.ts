import { type Arg, mayBecomeOption, programName } from '../args.js'
import { inspectGit } from './git.js'
import { FINE, type Inspect, type Inspection } from './inspection.js'
import { inspectNode } from './node.js'
import { PACKAGES } from './packages.js'
import { inspectPython } from './python.js'
import { inspectSed } from './sed.js'
import { SHELLS } from './shells.js'
import { SYSTEM_TOOLS } from './system-tools.js'
import { inspectAwk, inspectEcho, inspectFind, inspectGrep } from './text-tools.js'
import { WRAPPERS } from './wrappers.js'

export type { Inspection } from './inspection.js'

/** Programs whose arguments a file name could turn into something else. */
const GUARDED: Readonly<Record<string, Inspect>> = {
  ...WRAPPERS,
  ...SHELLS,
  ...PACKAGES,
  python: inspectPython,
  node: inspectNode,
  nodejs: inspectNode,
  sed: inspectSed,
  gsed: inspectSed,
  awk: inspectAwk,
  gawk: inspectAwk,
  mawk: inspectAwk,
  nawk: inspectAwk,
}
const OPEN: Readonly<Record<string, Inspect>> = {
  ...SYSTEM_TOOLS,
  git: inspectGit,
  find: inspectFind,
  gfind: inspectFind,
  echo: inspectEcho,
  printf: inspectEcho,
  grep: inspectGrep,
  egrep: inspectGrep,
  fgrep: inspectGrep,
}
const PROGRAMS = new Map([...Object.entries(OPEN), ...Object.entries(GUARDED)])

/** What is known of a program's arguments. `args` without its name. */
export function inspectProgram(name: string, args: readonly Arg[]): Inspection {
  const family = familyOf(programName(name))
  const inspect = PROGRAMS.get(family)
  if (!inspect) return FINE
  const look = inspect(args, family)
  const own = args.slice(0, args.length - (look.runs?.length ?? 0))
  if (look.problem !== undefined || !Object.hasOwn(GUARDED, family) || !own.some(mayBecomeOption)) return look
  return { problem: 'with a glob that may become an option: begin it with "./"' }
}

/** `python3.12` is a `python`, `pip3` a `pip`, `perl5.36` a `perl`. */
function familyOf(name: string): string {
  if (/^(?:python|pypy)[\d.]*w?$/.test(name)) return 'python'
  if (/^pip[\d.]+$/.test(name)) return 'pip'
  const plain = name.replace(/-?\d[\d.]*$/, '')
  return PROGRAMS.has(name) || !PROGRAMS.has(plain) ? name : plain
}
