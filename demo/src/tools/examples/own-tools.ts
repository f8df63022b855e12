import { type Example, type ExampleTable, type Known, longestText } from './known.js'

const COUNT = `const { readFile } = await import('node:fs/promises')
const text = await readFile(input.path, 'utf8')
return { lines: text.split('\\n').length, words: text.split(/\\s+/).filter(Boolean).length, characters: text.length }`

const OUTLINE = `const { matches } = await invokeTool('grep', { pattern: '^export ', path: input.path, limit: 1000 })
return matches.map(({ line, text }) => line + '  ' + text)`

const properties = { path: { type: 'string', description: 'The file.' } }
const args_schema = { type: 'object', properties, required: ['path'] }

/** Examples that create a tool. */
export const makerExamples: readonly Example[] = [
  {
    label: 'Count words',
    input: { name: 'count_words', description: 'Count the lines, words and characters of a text file.', handler_code: COUNT, args_schema },
  },
  {
    label: 'One that calls another',
    input: { name: 'outline', description: 'What a source file exports, with line numbers.', handler_code: OUTLINE, args_schema },
  },
  { label: 'One that does not load', input: { name: 'broken', description: 'Nothing.', handler_code: 'return {' } },
]

/** Examples for the tools that `makerExamples` create. */
export function madeExamples(known: Known): ExampleTable {
  const path = longestText(known)
  const examples = path === undefined ? [] : [{ label: 'A file', input: { path } }]
  return { count_words: examples, outline: examples }
}
