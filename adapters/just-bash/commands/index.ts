import type { Host } from '../../../src/types/host.js'
import { applyPatchCommand } from './apply-patch/index.js'
import { bcCommand } from './bc/index.js'
import { checksumCommands } from './checksum.js'
import { cmpCommand } from './cmp.js'
import type { CommandContext, OwnCommand } from './command.js'
import { ddCommand } from './dd.js'
import { envsubstCommand } from './envsubst.js'
import { findCommand } from './find/index.js'
import { gzipCommands } from './gzip/index.js'
import { overGzipCommands } from './gzip/over.js'
import { identityCommands } from './identity.js'
import { installCommand } from './install.js'
import { mktempCommand } from './mktemp.js'

import { pagerCommands } from './pager.js'
import { patchCommand } from './patch/index.js'
import { readlinkCommand, realpathCommand } from './realpath.js'
import { repairedCommands } from './repaired/index.js'
import { rgCommand } from './rg/index.js'
import { shufCommand } from './shuf.js'
import { tarCommand } from './tar/index.js'
import { teeCommand } from './tee.js'
import { catCommand } from './text/cat.js'
import { clearCommand, hostnameCommand, printenvCommand, timeoutCommand, whichCommand } from './text/checked.js'
import { chmodCommand } from './text/chmod.js'
import { cksumCommand, sumCommand } from './text/cksum.js'
import { columnCommand } from './text/column.js'
import { commCommand } from './text/comm.js'
import { csplitCommand } from './text/csplit.js'
import { dfCommand } from './text/df.js'
import { encodingCommands } from './text/encodings.js'
import { factorCommand } from './text/factor.js'
import { fileCommand } from './text/file.js'
import { fmtCommand } from './text/fmt.js'
import { foldCommand } from './text/fold.js'
import { getoptCommand } from './text/getopt.js'
import { hexdumpCommand } from './text/hexdump.js'
import { mkdirCommand } from './text/mkdir.js'
import { basenameCommand, dirnameCommand } from './text/names.js'
import { nlCommand } from './text/nl.js'
import { numfmtCommand } from './text/numfmt.js'
import { pathchkCommand } from './text/pathchk.js'
import { prCommand } from './text/pr.js'
import { revCommand } from './text/rev.js'
import { rmdirCommand } from './text/rmdir.js'
import { splitCommand } from './text/split.js'
import { stringsCommand } from './text/strings.js'
import { tabCommands } from './text/tabs.js'
import { tacCommand } from './text/tac.js'
import { tsortCommand } from './text/tsort.js'
import { syncCommand, unlinkCommand } from './text/unlink.js'
import { treeCommand } from './tree.js'
import { truncateCommand } from './truncate.js'
import { unameCommand } from './uname.js'
import { wrapperCommands } from './wrappers.js'
import { xxdCommand } from './xxd.js'
import { yesCommand } from './yes.js'
import { zipCommands } from './zip/index.js'

export { jqCommand } from './jq/index.js'

/** Commands that the library lacks, or that do otherwise than those of GNU. They take the place of its own of the same name. */
export const ownCommands: readonly OwnCommand[] = [
  applyPatchCommand,
  basenameCommand,
  bcCommand,
  catCommand,
  chmodCommand,
  cksumCommand,
  clearCommand,
  ...checksumCommands,
  cmpCommand,
  columnCommand,
  commCommand,
  csplitCommand,
  ddCommand,
  dfCommand,
  dirnameCommand,
  ...encodingCommands,
  envsubstCommand,
  factorCommand,
  fileCommand,
  findCommand,
  fmtCommand,
  foldCommand,
  getoptCommand,
  hexdumpCommand,
  hostnameCommand,
  ...gzipCommands,
  ...overGzipCommands,
  ...identityCommands,
  installCommand,
  mkdirCommand,
  mktempCommand,
  nlCommand,
  numfmtCommand,
  ...wrapperCommands,
  ...pagerCommands,
  patchCommand,
  pathchkCommand,
  prCommand,
  printenvCommand,
  readlinkCommand,
  realpathCommand,
  revCommand,
  rgCommand,
  rmdirCommand,
  shufCommand,
  splitCommand,
  stringsCommand,
  sumCommand,
  syncCommand,
  ...tabCommands,
  tacCommand,
  tarCommand,
  teeCommand,
  timeoutCommand,
  treeCommand,
  truncateCommand,
  tsortCommand,
  unameCommand,
  unlinkCommand,
  whichCommand,
  xxdCommand,
  yesCommand,
  ...zipCommands,
  ...repairedCommands,
]

/** The same commands, with the clock, the random numbers and the turns of this host. */
export function withHost(commands: readonly OwnCommand[], host: Host): readonly OwnCommand[] {
  return commands.map((command) => ({ name: command.name, execute: (args, context) => command.execute(args, hosted(context, host)) }))
}

/** No copy: its `stdin` takes the input away from those that come after, when it is looked at. */
const hosted = (context: CommandContext, host: Host): CommandContext => Object.create(context, { host: { value: host } }) as CommandContext
