// Lets the built playground work offline after the first visit: writes the names of all of its files into its service worker.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Files that the page itself does not need. */
const OTHERS = /webcontainer-probe|\.map$/

/**
 * @param {string} worker path of the service worker's script
 * @returns {import('vite').Plugin}
 */
export function offline(worker) {
  return {
    name: 'offline',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = [...Object.keys(bundle).filter((name) => !OTHERS.test(name)), 'index.html']
      const names = [...new Set(files)].sort()
      const hash = createHash('sha256')
      for (const name of names) {
        const file = bundle[name]
        hash.update(name).update(file === undefined ? '' : file.type === 'chunk' ? file.code : file.source)
      }
      const source = readFileSync(worker, 'utf8')
        .replace("['__FILES__']", () => JSON.stringify(names))
        .replace('__VERSION__', hash.digest('hex').slice(0, 16))
      this.emitFile({ type: 'asset', fileName: 'offline-worker.js', source })
    },
  }
}
