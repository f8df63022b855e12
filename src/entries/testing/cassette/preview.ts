import { fromBase64, toBase64 } from '../../../ops/base64.js'
import { decodeUtf8 } from '../../../ops/utf8.js'
import type { BuildOutput, Bundler, PreviewAdapter, PreviewEventPage, PreviewPicture } from '../../../types/preview.js'
import { missing } from './missing-port.js'
import type { Tape } from './tape.js'

/** Records or replays the preview. `given` is missing in a replay. */
export function recordedPreview(tape: Tape, given: PreviewAdapter | undefined): PreviewAdapter {
  const real: PreviewAdapter = given ?? missing('preview')
  const hasPictures = given ? given.screenshot !== undefined : tape.header.ports?.preview?.screenshot === true
  return {
    open: (path) => tape.play('preview', { open: path }, () => real.open(path)),
    refresh: () => tape.play('preview', { refresh: true }, () => real.refresh()),
    read(range = {}) {
      const playing = tape.begin('preview', { read: range })
      const { entry, isLive } = playing
      try {
        if (isLive) entry.answered = tape.clean(real.read(range))
        return entry.answered as unknown as PreviewEventPage
      } finally {
        tape.end(playing)
      }
    },
    snapshot: () => tape.play('preview', { snapshot: true }, () => real.snapshot()),
    ...(hasPictures && { screenshot: (options) => picture(tape, () => real.screenshot?.(options) as Promise<PreviewPicture>) }),
  }
}

async function picture(tape: Tape, take: () => Promise<PreviewPicture>): Promise<PreviewPicture> {
  const { mediaType, base64 } = await tape.play('preview', { screenshot: true }, async () => {
    const taken = await take()
    return { mediaType: taken.mediaType, base64: toBase64(taken.bytes) }
  })
  return { mediaType, bytes: fromBase64(base64) ?? new Uint8Array() }
}

interface RecordedOutput {
  readonly path: string
  readonly text?: string
  readonly base64?: string
}

/** Records or replays the bundler with its outputs. `given` is missing in a replay. */
export function recordedBundler(tape: Tape, given: Bundler | undefined): Bundler {
  const real: Bundler = given ?? missing('bundler')
  return {
    async build({ signal, ...options } = {}) {
      const { outputs, ...result } = await tape.play('build', options, async () => {
        const built = await real.build({ ...options, ...(signal && { signal }) })
        return { ...built, outputs: built.outputs.map(recordedOutput) }
      })
      return { ...result, outputs: outputs.map(outputOf) }
    },
    dispose: async () => given?.dispose(),
  }
}

function recordedOutput({ path, bytes }: BuildOutput): RecordedOutput {
  const text = decodeUtf8(bytes)
  return text === undefined ? { path, base64: toBase64(bytes) } : { path, text }
}

const outputOf = ({ path, text, base64 = '' }: RecordedOutput): BuildOutput => ({
  path,
  bytes: text === undefined ? (fromBase64(base64) ?? new Uint8Array()) : new TextEncoder().encode(text),
})
