import type { Session } from '../session.js'
import type { CodeEditor } from './code-editor.js'
import type { OpenFile } from './open-file.js'

/** State shared by the parts of the editor pane. */
export interface PaneState {
  /** Undefined before the first workspace is opened. */
  session: Session | undefined
  /** The open files, in the order of their tabs. */
  files: readonly OpenFile[]
  /** The shown file. */
  active: OpenFile | undefined
  /** Undefined until the editor has loaded. */
  code: CodeEditor | undefined
}

export const isReadOnly = ({ session }: PaneState): boolean => session?.workspace.readOnly ?? false
