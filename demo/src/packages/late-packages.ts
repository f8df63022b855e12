import { h } from '../dom.js'
import { messageOf } from '../notice.js'
import { whenLong } from '../pace.js'
import type { Session, Snapshot } from '../session.js'
import type { PackagesPanel, PackagesPanelOptions } from './packages-panel.js'

/** The packages panel, loaded when first shown. */
export function createLatePackages(options: PackagesPanelOptions): PackagesPanel {
  const element = h('div', { class: 'packages-holder' })
  let panel: PackagesPanel | undefined
  let opening: Promise<void> | undefined
  let session: Session | undefined
  let snapshot: Snapshot | undefined

  async function load(): Promise<void> {
    try {
      const tell = (): void => element.replaceChildren(h('p', { class: 'empty', role: 'status' }, 'Loading the packages…'))
      const { createPackagesPanel } = await whenLong(tell, () => import('./packages-panel.js'))
      panel = createPackagesPanel(options)
      element.replaceChildren(panel.element)
      if (session) panel.use(session)
      if (snapshot) await panel.seen(snapshot)
    } catch (error) {
      // Retry when the panel is shown again.
      opening = undefined
      element.replaceChildren(h('p', { class: 'empty', role: 'alert' }, `The packages could not be loaded. ${messageOf(error)}`))
    }
  }

  return {
    element,
    use(next) {
      session = next
      snapshot = undefined
      panel?.use(next)
    },
    async seen(next) {
      snapshot = next
      await panel?.seen(next)
    },
    shown() {
      opening ??= load()
      void opening.then(() => panel?.shown())
    },
  }
}
