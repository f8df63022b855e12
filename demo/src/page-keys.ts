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

/** The keys that mean the same everywhere on the page. */
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
      // Where one is decides: in a file that can be run, it is that. The agent's messages have keys of their own.
      if (!event.shiftKey && view.canRun && view.element.contains(document.activeElement)) void view.run()
      else if (work.shown === 'tools') void (event.shiftKey ? tools.preview() : tools.run())
    }
  }
}
