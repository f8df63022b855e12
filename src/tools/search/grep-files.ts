import { FsError } from '../../errors/index.js'
import { compileGlob } from '../../ops/glob.js'
import type { ToolContext } from '../../types/tool.js'
import type { WalkEntry } from '../../types/workspace.js'
import { namesHidden } from './glob-run.js'
import type { GrepInput } from './grep-output.js'

/** Files read ahead of the search on storages that make one wait. */
const READ_AHEAD = 8

/** Bytes that show most binary files for what they are, before they are decoded. */
const HEAD = 512

const decoder = new TextDecoder()

/** A file to search, or why it is not searched. */
export interface Candidate {
  readonly path: string
  readonly text?: string
  readonly skipped?: 'binary' | 'too_large' | 'unreadable'
}

/** Where an earlier page ended: `again` when that file was not given to its end. */
export interface Resume {
  readonly path: string
  readonly again: boolean
}

/** The files in question in path order, with their text. */
export async function* candidates(
  input: GrepInput,
  context: ToolContext,
  resume: Resume | undefined,
  onError: () => void,
): AsyncGenerator<Candidate> {
  const { workspace } = context
  const { kind, size } = await workspace.stat(input.path, 'search')
  if (kind === 'file') {
    const path = await workspace.realpath(input.path)
    if (!resume || (resume.again && resume.path === path)) yield await load({ path, size }, context)
    return
  }
  if (resume?.again) yield await load({ path: resume.path }, context)
  const window = workspace.fs.can.persistence === 'memory' ? 1 : READ_AHEAD
  for await (const run of workspace.walk(input.path, { ...walkOptions(input, context, resume), onError })) {
    const loading: Promise<Candidate>[] = []
    for (let i = 0; i < run.length; i++) {
      while (loading.length < run.length && loading.length < i + window) loading.push(load(run[loading.length] as WalkEntry, context))
      yield await (loading[i] as Promise<Candidate>)
    }
  }
}

function walkOptions(
  input: GrepInput,
  { signal }: ToolContext,
  resume: Resume | undefined,
): Parameters<ToolContext['workspace']['walk']>[1] {
  const globs = input.glob === undefined ? ['**'] : [input.glob].flat().map(atAnyDepth)
  return {
    filter: compileGlob(globs, { kind: 'file' }),
    hidden: input.hidden || namesHidden(globs),
    ignore: input.ignore,
    signal,
    ...(resume && { after: resume.path }),
  }
}

/** A glob without a slash is about names, wherever they are. */
function atAnyDepth(glob: string): string {
  const bare = glob.startsWith('!') ? glob.slice(1) : glob
  if (bare.replace(/\/$/, '').includes('/')) return glob
  return `${glob.startsWith('!') ? '!' : ''}**/${bare}`
}

/** Never rejects for the file's own sake: it is counted as skipped. */
async function load({ path, size }: Pick<WalkEntry, 'path' | 'size'>, context: ToolContext): Promise<Candidate> {
  const limit = context.limits.grepFileBytes
  if (size !== undefined && size > limit) return { path, skipped: 'too_large' }
  try {
    const { bytes } = await context.workspace.readBytes(path, size === undefined ? { length: limit + 1 } : undefined)
    if (bytes.length > limit) return { path, skipped: 'too_large' }
    // As ripgrep: a NUL makes a file binary, and what is not UTF-8 is searched all the same. The decoder drops a byte order mark.
    if (bytes.subarray(0, HEAD).includes(0)) return { path, skipped: 'binary' }
    // The rest is looked through as a string, where that takes a tenth of the time.
    const text = decoder.decode(bytes)
    return text.includes('\0') ? { path, skipped: 'binary' } : { path, text }
  } catch (error) {
    if (FsError.is(error) || (error as { readonly name?: unknown }).name === 'PolicyError') return { path, skipped: 'unreadable' }
    throw error
  }
}
