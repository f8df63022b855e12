import type { OwnCommand } from '../shared/command.js'
import { command } from '../shared/failure.js'

const load = (): Promise<typeof import('./run.js')> => import('./run.js')

const gzipLike = (name: 'gzip' | 'gunzip' | 'zcat'): OwnCommand =>
  command(name, { usage: `${name} [OPTION]... [FILE]...` }, async (args, context) => (await load()).runGzip(name, args, context))

export const gzipCommands: readonly OwnCommand[] = [gzipLike('gzip'), gzipLike('gunzip'), gzipLike('zcat')]
