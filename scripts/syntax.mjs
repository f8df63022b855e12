import { parseSync } from 'vite'

/** @typedef {{ type: string, start: number, end: number, value?: unknown, source?: { value?: unknown } }} Node */

/**
 * All nodes of the syntax tree, and the comments.
 *
 * @param {string} file @param {string} text
 */
export function nodesOf(file, text) {
  const { program, comments, errors } = parseSync(file, text)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  /** @type {Node[]} */
  const nodes = []
  /** @param {object} value */
  const walk = (value) => {
    if ('type' in value) nodes.push(/** @type {Node} */ (value))
    for (const child of Object.values(value)) if (child && typeof child === 'object') walk(child)
  }
  walk(program)
  return { nodes, comments }
}

const IMPORTS = /^(?:Import(?:Declaration|Expression)|Export(?:Named|All)Declaration|TSImportType)$/

/** Specifiers that a file imports or re-exports: statically, with `import()`, or in a type. @param {readonly Node[]} nodes */
export const importsOf = (nodes) =>
  nodes.flatMap(({ type, source }) => (IMPORTS.test(type) && typeof source?.value === 'string' ? [source.value] : []))
