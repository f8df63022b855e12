import { type Lexers, lexers } from '../../../../src/packages/modules/lexers.js'
import { formatOfText } from './eval-code.js'

const EXPORT_DEFAULT = /\bexport\s+default\b/g
const EXPORT_NAMES = /\bexport\s*\{[^}]*\}/g
const EXPORT = /\bexport\b(?=\s+(?:const|let|var|function|async|class)\b)/g

/**
 * Returns a program that only parses the text and reports syntax errors. An ES module is checked as a function body, after its module
 * syntax is removed. Line numbers stay correct.
 */
export async function checkCode(text: string, path: string): Promise<string> {
  const isModule = /\.m[jt]s$/.test(path) || (!/\.c[jt]s$/.test(path) && (await formatOfText(text)) === 'module')
  const code = text.startsWith('#!') ? `//${text}` : text
  const body = isModule ? await withoutModuleSyntax(code) : code
  const names = isModule ? [] : ['exports', 'require', 'module', '__filename', '__dirname']
  const make = isModule ? '(async () => {}).constructor' : 'Function'
  const given = JSON.stringify([...names, isModule ? `'use strict';${body}` : body])
  return `try { Reflect.construct(${make}, ${given}) } catch (error) {
  process.stderr.write(${JSON.stringify(`${path}\n\n`)} + error.name + ': ' + error.message + '\\n')
  process.exitCode = 1
}`
}

async function withoutModuleSyntax(code: string): Promise<string> {
  const { module } = await lexers()
  let imports: ReturnType<Lexers['module']>['imports']
  try {
    imports = module(code).imports
  } catch {
    // Leave a syntax error to the engine, which reports it.
    return code
  }
  let body = ''
  let at = 0
  for (const found of imports) {
    if (found.type === 'dynamic') continue
    const [start, end] = found.type === 'import-meta' ? [found.start, found.end] : [found.importStart, found.importEnd]
    if (start < at) continue
    body += code.slice(at, start) + (found.type === 'import-meta' ? '({})' : blank(code.slice(start, end)))
    at = end
  }
  return `${body}${code.slice(at)}`.replace(EXPORT_NAMES, blank).replace(EXPORT_DEFAULT, 'void').replace(EXPORT, '')
}

/** Blanks a text but keeps its line breaks. */
const blank = (text: string): string => text.replace(/[^\n]/g, ' ')
