import { textButton } from '../button.js'
import type { CallRecord } from '../calls.js'
import { h } from '../dom.js'
import { messageOf } from '../notice.js'
import { whenLong } from '../pace.js'
import { presetInAddress } from '../presets/address.js'
import type { Session } from '../session.js'
import type { ToolsPane } from './tools-pane.js'
import type { ToolsPart, ToolsPartOptions } from './tools-part.js'

/** The tools pane, loaded when first shown. Stores what to show until then. */
export interface LateTools extends Pick<ToolsPane, 'element' | 'list' | 'run' | 'preview' | 'filesSeen' | 'leave'> {
  /** Resolves when the pane has loaded. Shows a failure in its place. */
  open(): Promise<void>
  use(session: Session): void
  /** Chooses a tool and fills its form. If the preset has no such tool, does nothing and returns the preset's name in `lackedBy`. */
  load(tool: string, input?: unknown): Promise<{ readonly lackedBy?: string }>
  dispose(): void
}

/** Maximum number of calls that wait for the pane to load. Older calls are dropped. */
const MAX_LISTED = 200

export function createLateTools(options: Omit<ToolsPartOptions, 'element'>): LateTools {
  const element = h('section', { class: 'pane pane-tools', 'aria-label': 'Tools' })
  let part: ToolsPart | undefined
  let opening: Promise<void> | undefined
  let session: Session | undefined
  let listed: CallRecord[] = []
  let isDisposed = false

  async function load(): Promise<void> {
    const tell = (): void => element.replaceChildren(h('p', { class: 'empty', role: 'status' }, 'Loading the tools…'))
    try {
      const { createToolsPart } = await whenLong(tell, () => import('./tools-part.js'))
      if (isDisposed) return
      element.replaceChildren()
      part = createToolsPart({ ...options, element })
      if (session) part.tools.use(session, part.presets.current)
      for (const record of listed.splice(0).reverse()) part.tools.list(record)
      await part.presets.start()
    } catch (error) {
      // Retry when the pane is shown again.
      if (!part) opening = undefined
      element.replaceChildren(problem(messageOf(error)))
    }
  }

  const problem = (text: string): HTMLElement => {
    const again = textButton('Try again', () => void open())
    return h('div', { class: 'empty', role: 'alert' }, h('p', {}, `The tools could not be loaded. ${text}`), again)
  }

  function open(): Promise<void> {
    opening ??= load()
    return opening
  }

  return {
    element,
    open,
    leave() {
      session = undefined
      listed = []
      part?.tools.leave()
    },
    use(next) {
      session = next
      part?.tools.use(next, part.presets.current)
      if (!part && presetInAddress() !== undefined) void open()
    },
    list(record) {
      if (part) part.tools.list(record)
      else listed = [record, ...listed].slice(0, MAX_LISTED)
    },
    async load(tool, input) {
      await open()
      if (!part) return {}
      return part.tools.load(tool, input) ? {} : { lackedBy: part.presets.current.choice.name }
    },
    run: async () => part?.tools.run(),
    preview: async () => part?.tools.preview(),
    filesSeen: async () => part?.tools.filesSeen(),
    dispose() {
      isDisposed = true
      part?.presets.dispose()
    },
  }
}
