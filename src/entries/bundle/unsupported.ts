import { lineAt } from '../../ops/lines.js'
import { utf8Length } from '../../ops/utf8.js'
import type { EsbuildMessage } from './esbuild-types.js'

const FEATURES: readonly { readonly pattern: RegExp; readonly text: (name: string | undefined) => string }[] = [
  {
    pattern: /\bnew\s+(?:Shared)?Worker\(\s*new\s+URL\(\s*["'`]([^"'`\n]+)["'`]\s*,\s*import\.meta\.url/g,
    text: (name) => `Cannot build the worker "${name}": the bundler does not support workers. Run its code in the page.`,
  },
  {
    pattern: /\bimport\.meta\.glob\s*[(<]/g,
    text: () => 'Cannot build "import.meta.glob": the bundler does not support it, and the call throws. Import the modules by their names.',
  },
]
const COMMENT = /^\s*(?:\/\/|\/?\*)/

/** Returns a warning for each feature that other bundlers support and this bundler does not. The warning names the first use. */
export function unsupported(code: string, place: { readonly file: string; readonly namespace: string }): readonly EsbuildMessage[] {
  if (!code.includes('import.meta')) return []
  return FEATURES.flatMap(({ pattern, text }) => {
    for (const { index, 1: name } of code.matchAll(pattern)) {
      const start = code.lastIndexOf('\n', index - 1) + 1
      const [lineText = ''] = code.slice(start).split(/\r?\n/, 1)
      if (COMMENT.test(lineText)) continue
      const column = utf8Length(code.slice(start, index))
      return [{ text: text(name), location: { ...place, line: lineAt(code, index), column, lineText } }]
    }
    return []
  })
}
