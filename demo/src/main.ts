import { h } from './dom.js'
import { keepForOffline } from './offline/register.js'
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
