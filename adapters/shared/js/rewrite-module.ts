import type { LoadedModule } from '../../../src/packages/modules/index.js'

export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Replaces `import()` and `import.meta` of a module with functions of the guest environment, and applies the edits `more`. Keeps line
 * numbers.
 */
export function rewriteModule({ code, path, dynamicImports, importMetas }: LoadedModule, more: readonly Edit[] = []): string {
  const name = JSON.stringify(path)
  const edits = [
    ...more,
    ...dynamicImports.map((span) => ({ ...span, text: `__toolport.importer(${name})` })),
    ...importMetas.map((span) => ({ ...span, text: `__toolport.meta(${name})` })),
  ].sort((a, b) => a.start - b.start)
  let [text, at] = ['', 0]
  for (const edit of edits) {
    text += code.slice(at, edit.start) + edit.text
    at = edit.end
  }
  text += code.slice(at)
  return text.startsWith('#!') ? `//${text}` : text
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u

/** Returns the text of an ES module that exports the named properties of an object, and the object itself as the default export. */
export function reexportText(expression: string, exportNames: readonly string[]): string {
  const usable = [...new Set(exportNames)].filter((name) => name !== 'default' && IDENTIFIER.test(name))
  const constants = usable.map((name, index) => `const v${index} = m?.${name};`).join('')
  const exported = usable.map((name, index) => `v${index} as ${name}`).join(', ')
  return `const m = ${expression};${constants}export { m as default${exported && `, ${exported}`} }`
}
