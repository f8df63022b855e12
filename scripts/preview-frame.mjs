// Ships the page that holds the frames of the playground's preview unchanged, because it has no script.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * Adds the page to builds. Vite's server finds it by itself.
 *
 * @param {string} file
 * @returns {import('vite').Plugin}
 */
export function previewFrame(file) {
  return {
    name: 'preview-frame',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: basename(file), source: readFileSync(file, 'utf8') })
    },
  }
}
