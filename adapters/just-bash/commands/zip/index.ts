import type { OwnCommand } from '../shared/command.js'
import { command } from '../shared/failure.js'

export const zipCommands: readonly OwnCommand[] = [
  command('zip', { usage: 'zip [-dDjqruXy0-9] [-x LIST] ZIPFILE [FILE]...' }, async (args, context) =>
    (await import('./zip.js')).runZip(args, context),
  ),
  command('unzip', { usage: 'unzip [-ljnopqt] FILE[.zip] [MEMBER]... [-x MEMBER]... [-d DIRECTORY]' }, async (args, context) =>
    (await import('./unzip.js')).runUnzip(args, context),
  ),
]
