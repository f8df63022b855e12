import { h } from './dom.js'

const root = document.getElementById('app')
if (!root) throw new Error('The page has no element "app"')

try {
  // Imported here, so that a part that does not load is told like any other failure.
  const [{ mountPlayground }, { seedFiles }, { pageRegistry }] = await Promise.all([
    import('./playground.js'),
    import('./seed.js'),
    import('./packages/registry.js'),
  ])
  await mountPlayground(root, { files: seedFiles, name: 'toolport', remember: true, packages: pageRegistry() })
} catch (error) {
  const detail = error instanceof Error ? error.message : String(error)
  root.replaceChildren(h('div', { class: 'page-error', role: 'alert' }, h('h1', {}, 'The playground could not start'), h('p', {}, detail)))
  throw error
}
