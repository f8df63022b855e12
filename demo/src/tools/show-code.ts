import type { CodeCall } from '../code/code-call.js'
import type { CodeDialog } from '../code/code-dialog.js'
import { h } from '../dom.js'
import { messageOf } from '../notice.js'
import type { Agent } from '../session.js'
import type { Loading } from '../while-working.js'
import type { Input } from './call-form.js'

export interface ShowCode {
  /** Contains the dialog. */
  readonly element: HTMLElement
  /** Shows a call as code. Never rejects. */
  open(call: ShownCall): Promise<void>
}

export interface ShownCall extends Pick<CodeCall, 'isOwn' | 'search'> {
  readonly agent: Agent
  readonly tool: string
  readonly input: Input
}

/** The dialog that shows a call as code, loaded on first use. */
export function createShowCode(loading: Loading, onProblem: (text: string) => void): ShowCode {
  const element = h('div')
  let dialog: CodeDialog | undefined

  return {
    element,
    async open({ agent: { preset, runtime }, tool, input, isOwn, search }) {
      const entry = runtime.registry.getModelManifest().find(({ name }) => name === tool)
      if (!entry) return
      try {
        const { workspace } = runtime
        const { createCodeDialog, files } = await loading('the code', async () => {
          const [{ createCodeDialog }, { namedFiles, ownToolFiles }] = await Promise.all([
            import('../code/code-dialog.js'),
            import('../code/named-files.js'),
          ])
          return {
            createCodeDialog,
            files: { ...(isOwn && (await ownToolFiles(workspace, tool))), ...(await namedFiles(workspace, input)) },
          }
        })
        if (!dialog) {
          dialog = createCodeDialog()
          element.append(dialog.element)
        }
        // An invisible modal dialog would only block the page.
        if (dialog.element.open || !element.checkVisibility()) return
        dialog.open({ entry, input, preset, requires: runtime.registry.get(tool)?.requires ?? [], isOwn, search, files })
      } catch (error) {
        onProblem(`The call could not be shown as code: ${messageOf(error)}`)
      }
    },
  }
}
