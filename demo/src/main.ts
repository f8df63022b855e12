import { h } from './dom.js'
import type { Files } from './session.js'

const root = document.getElementById('app')
if (!root) throw new Error('The page has no element "app"')

try {
  // Imported dynamically, so that a loading failure is shown like any other failure.
  const [{ mountPlayground }, { pageRegistry }] = await Promise.all([import('./playground.js'), import('./packages/registry.js')])
  // The initial files are much larger than the page, so they load after the page is shown.
  const files = async (): Promise<Files> => (await import('./seed.js')).seedFiles
  await mountPlayground(root, { files, name: 'toolport', remember: true, packages: pageRegistry(), previewFrame: 'preview-frame.html' })
  keepForOffline()
} catch (error) {
  const detail = error instanceof Error ? error.message : String(error)
  root.replaceChildren(h('div', { class: 'page-error', role: 'alert' }, h('h1', {}, 'The playground could not start'), h('p', {}, detail)))
  throw error
}

interface Network {
  readonly connection?: { readonly saveData?: boolean }
}

/** Registers the service worker for offline use when the page is idle. Skipped in data-saving mode. */
function keepForOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || (navigator as Network).connection?.saveData) return
  const register = (): void => {
    // The page works without offline support.
    void navigator.serviceWorker.register(new URL('offline-worker.js', document.baseURI)).catch(() => undefined)
  }
  if ('requestIdleCallback' in globalThis) requestIdleCallback(register)
  else setTimeout(register)
}
