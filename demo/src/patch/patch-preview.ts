import type { ManifestEntry } from 'toolport'
import type { Agent, Session } from '../session.js'
import { type PatchField, patchFieldOf } from './patch-field.js'
import { createPatchView } from './patch-view.js'
import { type Input, inEarnest, patchText, rehearse } from './rehearse.js'
import type { FailureOptions } from './render-failure.js'

export interface PatchPreview {
  readonly element: HTMLElement
  readonly isShown: boolean
  /** Resets the preview for a tool. Returns whether the tool takes a patch. */
  use(tool: ManifestEntry | undefined): boolean
  /** Runs a dry run of the form's input and shows the result. Shows nothing if the call is cancelled. */
  run(session: Session, agent: Agent, input: Input, signal: AbortSignal): Promise<void>
  /** Call whenever the form or the workspace may have changed. */
  check(): void
  close(): void
}

export interface PatchPreviewOptions extends FailureOptions {
  /** The current input of the form. */
  readonly read: () => Input
  /** The last known revision of the workspace. */
  readonly revision: () => number
  /** Refreshes the workspace and returns its revision. */
  readonly look: () => Promise<number>
  /** Runs the tool with this input. */
  readonly onApply: (input: Input) => void
  readonly onAgain: () => void
  /** Called when the view is opened or closed. */
  readonly onShow: (isShown: boolean) => void
  /** Called when the view closes, to move the focus. */
  readonly onClose: () => void
}

/** The preview of the form's patch. Becomes stale when the form or the workspace changes, and can only be applied while it is valid. */
export function createPatchPreview(options: PatchPreviewOptions): PatchPreview {
  const view = createPatchView({
    ...options,
    onApply: () => void apply(),
    onClose: () => {
      close()
      options.onClose()
    },
  })
  let field: PatchField | undefined
  let applying = false

  function check(): void {
    if (field && view.preview) view.check(patchText(options.read(), field), options.revision())
  }

  function close(): void {
    view.close()
    options.onShow(false)
  }

  async function apply(): Promise<void> {
    const previewed = view.preview
    if (!previewed || !field || applying) return
    applying = true
    try {
      // Something may have written since the preview; only what the user has seen is applied.
      const revision = await options.look()
      const input = options.read()
      if (view.preview !== previewed) return
      if (revision === previewed.revision && patchText(input, field) === previewed.patch) options.onApply(inEarnest(input))
      else check()
    } finally {
      applying = false
    }
  }

  return {
    element: view.element,
    get isShown() {
      return view.preview !== undefined
    },
    use(tool) {
      field = tool && patchFieldOf(tool)
      close()
      return field !== undefined
    },
    async run(session, agent, input, signal) {
      const own = field
      if (!own) return
      const revision = await options.look()
      const preview = await rehearse({ session, agent, field: own, input, revision, signal })
      // The user chose another tool meanwhile, or cancelled the call.
      if (field !== own || signal.aborted) return
      view.show(preview)
      options.onShow(true)
      check()
    },
    check,
    close,
  }
}
