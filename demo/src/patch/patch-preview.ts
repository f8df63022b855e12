import type { ManifestEntry } from 'toolport'
import type { Agent, Session } from '../session.js'
import { type PatchField, patchFieldOf } from './patch-field.js'
import { createPatchView } from './patch-view.js'
import { type Input, inEarnest, patchText, rehearse } from './rehearse.js'
import type { FailureOptions } from './render-failure.js'

export interface PatchPreview {
  readonly element: HTMLElement
  readonly isShown: boolean
  /** Ready for a tool, with nothing previewed yet; says whether the tool takes a patch. */
  use(tool: ManifestEntry | undefined): boolean
  /** Tries what the form says, and shows it; a call that is cancelled shows nothing. */
  run(session: Session, agent: Agent, input: Input, signal: AbortSignal): Promise<void>
  /** To be told whenever the form or the workspace may have changed. */
  check(): void
  close(): void
}

export interface PatchPreviewOptions extends FailureOptions {
  /** What the form says now. */
  readonly read: () => Input
  /** The workspace's revision as far as it is known. */
  readonly revision: () => number
  /** Looks at the workspace again, and gives its revision. */
  readonly look: () => Promise<number>
  /** Runs the tool with this input. */
  readonly onApply: (input: Input) => void
  readonly onAgain: () => void
  /** The view is open, or closed again. */
  readonly onShow: (isShown: boolean) => void
  /** Where the focus goes when the view is closed. */
  readonly onClose: () => void
}

/** The preview of the patch in the form: kept in step with form and workspace, applied only while it holds. */
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
      // Something may have written while the preview stood there: what is applied is what was seen.
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
      // Another tool was chosen meanwhile, or the call was cancelled.
      if (field !== own || signal.aborted) return
      view.show(preview)
      options.onShow(true)
      check()
    },
    check,
    close,
  }
}
