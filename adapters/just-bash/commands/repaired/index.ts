import type { OwnCommand } from '../command.js'
import { awkCommands } from './awk/awk.js'
import { base64Command } from './base64.js'
import { bashCommands } from './bash.js'
import { cpCommand, mvCommand } from './copy.js'
import { cutCommand } from './cut.js'
import { dateCommand } from './date.js'
import { diffCommand } from './diff/diff.js'
import { duCommand } from './du.js'
import { headCommand, tailCommand } from './ends.js'
import { envCommand } from './env.js'
import { exprCommand } from './expr.js'
import { grepCommands } from './grep/grep.js'
import { joinCommand } from './join.js'
import { lnCommand } from './ln.js'
import { lsCommand } from './ls/ls.js'
import { odCommand } from './od.js'
import { pasteCommand } from './paste.js'
import { printfCommand } from './printf.js'
import { rmCommand } from './rm.js'
import { sedCommand } from './sed/sed.js'
import { seqCommand } from './seq.js'
import { sortCommand } from './sort/sort.js'
import { statCommand } from './stat.js'
import { touchCommand } from './touch.js'
import { trCommand } from './tr/tr.js'
import { uniqCommand } from './uniq.js'
import { wcCommand } from './wc.js'
import { xargsCommand } from './xargs.js'

/** Commands that the library has, and that do otherwise than those of GNU. */
export const repairedCommands: readonly OwnCommand[] = [
  ...awkCommands,
  ...bashCommands,
  ...grepCommands,
  base64Command,
  cpCommand,
  cutCommand,
  dateCommand,
  diffCommand,
  duCommand,
  envCommand,
  exprCommand,
  headCommand,
  joinCommand,
  lnCommand,
  lsCommand,
  mvCommand,
  odCommand,
  pasteCommand,
  printfCommand,
  rmCommand,
  sedCommand,
  seqCommand,
  sortCommand,
  statCommand,
  tailCommand,
  touchCommand,
  trCommand,
  uniqCommand,
  wcCommand,
  xargsCommand,
]
