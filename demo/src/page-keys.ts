import type { EditorPane } from './editor/editor-pane.js'
import type { LateDialogs } from './late-dialogs.js'
import type { PaneSwitch } from './pane-switch.js'
import type { TerminalPane } from './terminal/terminal-pane.js'
import type { LateTools } from './tools/late-tools.js'
import type { WorkPane } from './work-pane.js'

export interface PageKeysOptions {
  readonly dialogs: LateDialogs
  readonly terminal: TerminalPane
  readonly paneSwitch: PaneSwitch
  readonly view: EditorPane
  readonly work: WorkPane
  readonly tools: LateTools
}

/** The global keyboard shortcuts of the page. */
export function createPageKeys({ dialogs, terminal, paneSwitch, view, work, tools }: PageKeysOptions): (event: KeyboardEvent) => void {
  return (event) => {
    if (!(event.ctrlKey || event.metaKey) || dialogs.isOpen) return
    if (event.code === 'Backquote') {
      event.preventDefault()
      void terminal.toggle()
      if (terminal.isOpen) paneSwitch.show('terminal')
    } else if (event.key === 's' && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      void view.save()
    } else if (event.key === 'Enter') {
      event.preventDefault()
      // The focus decides: inside a runnable file the shortcut runs the file. The agent's message field has its own shortcuts.
      if (!event.shiftKey && view.canRun && view.element.contains(document.activeElement)) void view.run()
      else if (work.shown === 'tools') void (event.shiftKey ? tools.preview() : tools.run())
    }
  }
}
