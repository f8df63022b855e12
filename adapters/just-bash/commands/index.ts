import type { Host } from '../../../src/types/host.js'
import { applyPatchCommand } from './apply-patch/index.js'
import { awkCommands } from './awk/index.js'
import { base64Command } from './base64.js'
import { basenameCommand, dirnameCommand } from './basename.js'
import { bashCommands } from './bash.js'
import { bcCommand } from './bc/index.js'
import { catCommand } from './cat.js'
import { checksumCommands } from './checksum.js'
import { chmodCommand } from './chmod.js'
import { cksumCommand, sumCommand } from './cksum.js'
import { cmpCommand } from './cmp.js'
import { columnCommand } from './column.js'
import { commCommand } from './comm.js'
import { cpCommand, mvCommand } from './cp-mv.js'
import { csplitCommand } from './csplit.js'
import { cutCommand } from './cut.js'
import { dateCommand } from './date.js'
import { ddCommand } from './dd.js'
import { dfCommand } from './df.js'
import { diffCommand } from './diff/index.js'
import { duCommand } from './du.js'
import { encodingCommands } from './encodings.js'
import { envCommand } from './env.js'
import { envsubstCommand } from './envsubst.js'
import { tabCommands } from './expand.js'
import { exprCommand } from './expr.js'
import { factorCommand } from './factor.js'
import { fileCommand } from './file.js'
import { findCommand } from './find/index.js'
import { fmtCommand } from './fmt.js'
import { foldCommand } from './fold.js'
import { getoptCommand } from './getopt.js'
import { grepCommands } from './grep/index.js'
import { gzipCommands } from './gzip/index.js'
import { overGzipCommands } from './gzip/over.js'
import { headCommand, tailCommand } from './head-tail.js'
import { hexdumpCommand } from './hexdump.js'
import { identityCommands } from './identity.js'
import { installCommand } from './install.js'
import { joinCommand } from './join.js'
import { lnCommand } from './ln.js'
import { lsCommand } from './ls/index.js'
import { mkdirCommand } from './mkdir.js'
import { mktempCommand } from './mktemp.js'
import { nlCommand } from './nl.js'
import { numfmtCommand } from './numfmt.js'
import { odCommand } from './od.js'
import { clearCommand, hostnameCommand, printenvCommand, timeoutCommand, whichCommand } from './option-checks.js'
import { pagerCommands } from './pager.js'
import { pasteCommand } from './paste.js'
import { patchCommand } from './patch/index.js'
import { pathchkCommand } from './pathchk.js'
import { prCommand } from './pr.js'
import { printfCommand } from './printf.js'
import { readlinkCommand, realpathCommand } from './realpath.js'
import { revCommand } from './rev.js'
import { rgCommand } from './rg/index.js'
import { rmCommand } from './rm.js'
import { rmdirCommand } from './rmdir.js'
import { sedCommand } from './sed/index.js'
import { seqCommand } from './seq.js'
import type { CommandContext, OwnCommand } from './shared/command.js'
import { shufCommand } from './shuf.js'
import { sortCommand } from './sort/index.js'
import { splitCommand } from './split.js'
import { statCommand } from './stat.js'
import { stringsCommand } from './strings.js'
import { tacCommand } from './tac.js'
import { tarCommand } from './tar/index.js'
import { teeCommand } from './tee.js'
import { touchCommand } from './touch.js'
import { trCommand } from './tr/index.js'
import { treeCommand } from './tree.js'
import { truncateCommand } from './truncate.js'
import { tsortCommand } from './tsort.js'
import { unameCommand } from './uname.js'
import { uniqCommand } from './uniq.js'
import { syncCommand, unlinkCommand } from './unlink.js'
import { wcCommand } from './wc.js'
import { wrapperCommands } from './wrappers.js'
import { xargsCommand } from './xargs.js'
import { xxdCommand } from './xxd.js'
import { yesCommand } from './yes.js'
import { zipCommands } from './zip/index.js'

export { jqCommand } from './jq/index.js'

/** Commands that the library lacks, or whose library versions differ from GNU. They replace library commands of the same name. */
export const ownCommands: readonly OwnCommand[] = [
  applyPatchCommand,
  ...awkCommands,
  base64Command,
  basenameCommand,
  ...bashCommands,
  bcCommand,
  catCommand,
  ...checksumCommands,
  chmodCommand,
  cksumCommand,
  clearCommand,
  cmpCommand,
  columnCommand,
  commCommand,
  cpCommand,
  csplitCommand,
  cutCommand,
  dateCommand,
  ddCommand,
  dfCommand,
  diffCommand,
  dirnameCommand,
  duCommand,
  ...encodingCommands,
  envCommand,
  envsubstCommand,
  exprCommand,
  factorCommand,
  fileCommand,
  findCommand,
  fmtCommand,
  foldCommand,
  getoptCommand,
  ...grepCommands,
  ...gzipCommands,
  headCommand,
  hexdumpCommand,
  hostnameCommand,
  ...identityCommands,
  installCommand,
  joinCommand,
  lnCommand,
  lsCommand,
  mkdirCommand,
  mktempCommand,
  mvCommand,
  nlCommand,
  numfmtCommand,
  odCommand,
  ...overGzipCommands,
  ...pagerCommands,
  pasteCommand,
  patchCommand,
  pathchkCommand,
  prCommand,
  printenvCommand,
  printfCommand,
  readlinkCommand,
  realpathCommand,
  revCommand,
  rgCommand,
  rmCommand,
  rmdirCommand,
  sedCommand,
  seqCommand,
  shufCommand,
  sortCommand,
  splitCommand,
  statCommand,
  stringsCommand,
  sumCommand,
  syncCommand,
  ...tabCommands,
  tacCommand,
  tailCommand,
  tarCommand,
  teeCommand,
  timeoutCommand,
  touchCommand,
  trCommand,
  treeCommand,
  truncateCommand,
  tsortCommand,
  unameCommand,
  uniqCommand,
  unlinkCommand,
  wcCommand,
  whichCommand,
  ...wrapperCommands,
  xargsCommand,
  xxdCommand,
  yesCommand,
  ...zipCommands,
]

/** Adds `host` to the context of each command: the clock, random numbers and scheduling. */
export function withHost(commands: readonly OwnCommand[], host: Host): readonly OwnCommand[] {
  return commands.map((command) => ({ name: command.name, execute: (args, context) => command.execute(args, hosted(context, host)) }))
}

/** Inherits instead of copying, because reading the `stdin` getter takes the input away from later commands. */
const hosted = (context: CommandContext, host: Host): CommandContext => Object.create(context, { host: { value: host } }) as CommandContext
