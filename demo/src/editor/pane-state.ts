import type { Session } from '../session.js'
import type { CodeEditor } from './code-editor.js'
import type { OpenFile } from './open-file.js'

/** What the parts of the editor pane have in common. */
export interface PaneState {
  /** Undefined before the first workspace. */
  session: Session | undefined
  /** In the order of their tabs. */
  files: readonly OpenFile[]
  /** The one that is shown. */
  active: OpenFile | undefined
  /** Undefined until it is loaded. */
  code: CodeEditor | undefined
}

export const isReadOnly = ({ session }: PaneState): boolean => session?.workspace.readOnly ?? false
