import type { WorkspaceDialog, WorkspaceDialogOptions } from './homes/workspace-dialog.js'
import { messageOf } from './notice.js'
import type { Session } from './session.js'
import type { Loading } from './while-working.js'

export interface LateDialogs {
  /** Opens the workspace dialog. */
  openWorkspace(): Promise<void>
  openHelp(): Promise<void>
  /** Whether the workspace dialog is open, which handles all keys itself. */
  readonly isOpen: boolean
}

export interface LateDialogsOptions extends WorkspaceDialogOptions {
  readonly host: HTMLElement
  readonly current: () => Session
  readonly loading: Loading
  readonly onProblem: (text: string) => void
}

/** The dialogs of the page, each loaded on first use. */
export function createLateDialogs({ host, current, loading, onProblem, ...options }: LateDialogsOptions): LateDialogs {
  let workspace: WorkspaceDialog | undefined
  return {
    async openWorkspace() {
      try {
        const { createWorkspaceDialog } = await loading('the workspaces', () => import('./homes/workspace-dialog.js'))
        workspace ??= createWorkspaceDialog(options)
        // The user may have asked twice while the dialog loaded. Moving an open dialog would take it out of the top layer.
        if (workspace.element.open) return
        host.append(workspace.element)
        workspace.open(current().home)
      } catch (error) {
        onProblem(`The dialog could not be loaded: ${messageOf(error)}`)
      }
    },
    async openHelp() {
      try {
        const { openHelp } = await loading('the help', () => import('./help-dialog.js'))
        if (!host.querySelector('dialog.help[open]')) openHelp(host)
      } catch (error) {
        onProblem(`The help could not be loaded: ${messageOf(error)}`)
      }
    },
    get isOpen() {
      return workspace?.element.open === true
    },
  }
}
