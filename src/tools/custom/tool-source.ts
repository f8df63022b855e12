import type { JsonSchema } from '../../types/tool.js'

interface ToolText {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  /** The body of `async run(input, context)`. */
  readonly handler: string
}

const FILENAME = /^[a-zA-Z0-9._-]+\.[cm]?js$/
const LONGEST = 200

export const isToolFilename = (filename: string): boolean => FILENAME.test(filename) && filename.length <= LONGEST

export const filenameFor = (name: string): string => `${name.replace(/[^a-zA-Z0-9._-]/g, '_')}.mjs`

/** The text of a tool file: CommonJS for `.cjs`. */
export function toolSource({ name, description, inputSchema, handler }: ToolText, filename: string): string {
  const [called, what, schema] = [JSON.stringify(name), JSON.stringify(description), JSON.stringify(inputSchema, null, 2)]
  if (filename.endsWith('.cjs'))
    return `exports.name = ${called}\nexports.description = ${what}\nexports.inputSchema = ${schema}\n\nexports.run = async function run(input, context) {\n${handler}\n}\n`
  return `export const name = ${called}\nexport const description = ${what}\nexport const inputSchema = ${schema}\n\nexport async function run(input, context) {\n${handler}\n}\n`
}
