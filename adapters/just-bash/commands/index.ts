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
import { identityCommands } from './identity.js'
import { installCommand } from './install.js'
import { mktempCommand } from './mktemp.js'
import { nohupCommand } from './nohup.js'
import { pagerCommands } from './pager.js'
import { patchCommand } from './patch/index.js'
import { readlinkCommand, realpathCommand } from './realpath.js'
import { repairedCommands } from './repaired/index.js'
import { shufCommand } from './shuf.js'
import { tarCommand } from './tar/index.js'
import { teeCommand } from './tee.js'
import { catCommand } from './text/cat.js'
import { hostnameCommand, printenvCommand, timeoutCommand, whichCommand } from './text/checked.js'
import { chmodCommand } from './text/chmod.js'
import { cksumCommand } from './text/cksum.js'
import { columnCommand } from './text/column.js'
import { commCommand } from './text/comm.js'
import { expandCommand, unexpandCommand } from './text/expand.js'
import { fileCommand } from './text/file.js'
import { fmtCommand } from './text/fmt.js'
import { foldCommand } from './text/fold.js'
import { hexdumpCommand } from './text/hexdump.js'
import { mkdirCommand } from './text/mkdir.js'
import { basenameCommand, dirnameCommand } from './text/names.js'
import { nlCommand } from './text/nl.js'
import { revCommand } from './text/rev.js'
import { tacCommand } from './text/tac.js'
import { truncateCommand } from './truncate.js'
import { unameCommand } from './uname.js'
import { xxdCommand } from './xxd.js'
import { yesCommand } from './yes.js'

export { jqCommand } from './jq/index.js'

/** Commands that the library lacks, or that do otherwise than those of GNU. They take the place of its own of the same name. */
export const ownCommands: readonly OwnCommand[] = [
  applyPatchCommand,
  basenameCommand,
  bcCommand,
  catCommand,
  chmodCommand,
  cksumCommand,
  ...checksumCommands,
  cmpCommand,
  columnCommand,
  commCommand,
  ddCommand,
  dirnameCommand,
  envsubstCommand,
  expandCommand,
  fileCommand,
  findCommand,
  fmtCommand,
  foldCommand,
  hexdumpCommand,
  hostnameCommand,
  ...gzipCommands,
  ...identityCommands,
  installCommand,
  mkdirCommand,
  mktempCommand,
  nlCommand,
  nohupCommand,
  ...pagerCommands,
  patchCommand,
  printenvCommand,
  readlinkCommand,
  realpathCommand,
  revCommand,
  shufCommand,
  tacCommand,
  tarCommand,
  teeCommand,
  timeoutCommand,
  truncateCommand,
  unameCommand,
  unexpandCommand,
  whichCommand,
  xxdCommand,
  yesCommand,
  ...repairedCommands,
]

/** The same commands, with the clock, the random numbers and the turns of this host. */
export function withHost(commands: readonly OwnCommand[], host: Host): readonly OwnCommand[] {
  return commands.map((command) => ({ name: command.name, execute: (args, context) => command.execute(args, hosted(context, host)) }))
}

/** No copy: its `stdin` takes the input away from those that come after, when it is looked at. */
const hosted = (context: CommandContext, host: Host): CommandContext => Object.create(context, { host: { value: host } }) as CommandContext
