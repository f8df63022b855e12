import { reply } from '../../core/define-tool.js'
import { UnsupportedError } from '../../errors/index.js'
import { toBase64 } from '../../ops/base64.js'
import { headTail } from '../../ops/truncate.js'
import type { PreviewAdapter, PreviewEvent, PreviewPicture, PreviewSnapshot } from '../../types/preview.js'
import type { ContentPart, ToolContext, ToolReply } from '../../types/tool.js'
import { type PreviewOutput, renderPage } from './render.js'

interface Wanted {
  readonly wait_ms: number
  readonly picture: boolean
}

/** Maximum time for a page to load, in milliseconds. */
const LOAD_MS = 15_000
const LOOK_MS = 50
const MOST_EVENTS = 200

/** The cursor up to which the tools have returned the log of each preview. */
const returned = new WeakMap<PreviewAdapter, number>()

/** The tools require the port, so the runtime does not run them without it. */
const previewOf = (context: ToolContext): PreviewAdapter => context.preview as PreviewAdapter

/** The body of `open_preview`. */
export async function runOpen(
  { path, ...wanted }: Wanted & { readonly path: string },
  context: ToolContext,
): Promise<ToolReply<PreviewOutput>> {
  const preview = previewOf(context)
  checkPicture(preview, wanted)
  const start = endOf(preview)
  await preview.open(path)
  const loaded = await loadedAfter(preview, start, context)
  return result(preview, start, loaded, wanted, context)
}

/** The body of `read_preview`. */
export async function runRead(
  { after, ...wanted }: Wanted & { readonly after?: number | undefined },
  context: ToolContext,
): Promise<ToolReply<PreviewOutput>> {
  const preview = previewOf(context)
  checkPicture(preview, wanted)
  const start = endOf(preview)
  await preview.refresh()
  const { events } = preview.read({ after: start, limit: MOST_EVENTS })
  const reload = events.findLast((event) => event.type === 'changed' && event.update === 'page')
  const loaded = reload ? await loadedAfter(preview, reload.cursor, context) : true
  return result(preview, after ?? returned.get(preview) ?? 0, loaded, wanted, context)
}

/** @throws {UnsupportedError} for a picture that the host cannot take */
function checkPicture(preview: PreviewAdapter, { picture }: Wanted): void {
  if (picture && !preview.screenshot)
    throw new UnsupportedError(
      'preview.screenshot',
      'Cannot take a screenshot of the page: this preview does not support screenshots. Omit "picture".',
    )
}

const endOf = (preview: PreviewAdapter): number => preview.read({ after: Number.MAX_SAFE_INTEGER, limit: 1 }).next

/** Waits until a page has loaded, or was stopped. */
async function loadedAfter(preview: PreviewAdapter, start: number, { host, signal }: ToolContext): Promise<boolean> {
  const until = host.now() + LOAD_MS
  let after = start
  for (;;) {
    const { events, next, more } = preview.read({ after, limit: MOST_EVENTS })
    // A page also loads after a failed build, because it shows the errors.
    const end = events.find(({ type }) => type === 'loaded' || type === 'stopped')
    if (end) return end.type === 'loaded'
    after = next
    if (more) continue
    if (host.now() >= until) return false
    await host.sleep(LOOK_MS, signal)
  }
}

async function result(
  preview: PreviewAdapter,
  after: number,
  loaded: boolean,
  { wait_ms, picture }: Wanted,
  context: ToolContext,
): Promise<ToolReply<PreviewOutput>> {
  const { host, signal, limits } = context
  if (wait_ms > 0) await host.sleep(wait_ms, signal)
  const page = await snapshotOf(preview)
  const taken = picture ? await preview.screenshot?.({ signal }) : undefined
  const { events, missed } = newest(preview, after)
  const next = endOf(preview)
  returned.set(preview, next)
  const output: PreviewOutput = { loaded, ...page, events, missed, next, ...(taken && { picture: taken.mediaType }) }
  const text = headTail(renderPage(output), limits.outputBytes, (bytes) => `\n[... ${bytes} bytes left out ...]\n`).text
  return reply(output, [{ type: 'text', text }, ...partsOf(taken)])
}

const partsOf = (picture: PreviewPicture | undefined): ContentPart[] =>
  picture ? [{ type: 'image', mediaType: picture.mediaType, data: toBase64(picture.bytes) }] : []

async function snapshotOf(preview: PreviewAdapter): Promise<PreviewSnapshot | { readonly note: string }> {
  try {
    return await preview.snapshot()
  } catch (error) {
    return { note: error instanceof Error ? error.message : String(error) }
  }
}

/** Returns the last events after a cursor. */
function newest(preview: PreviewAdapter, after: number): { readonly events: readonly PreviewEvent[]; readonly missed: number } {
  const all: PreviewEvent[] = []
  let missed = 0
  for (let page = preview.read({ after, limit: MOST_EVENTS }); ; page = preview.read({ after: page.next, limit: MOST_EVENTS })) {
    all.push(...page.events)
    missed += page.missed
    if (!page.more) return { events: all.slice(-MOST_EVENTS), missed: missed + Math.max(0, all.length - MOST_EVENTS) }
  }
}
