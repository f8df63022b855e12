import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'

export const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = `${root}.cache/docs/`

/** A code block of a page. `number` counts the page's blocks of this language from 1. */
export interface Example {
  readonly page: string
  readonly language: string
  readonly number: number
  readonly code: string
}

export const pages: readonly string[] = ['README.md', ...readdirSync(`${root}docs`).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
)

/** The code blocks of a page in these languages, in order. */
export function examplesOf(page: string, ...languages: readonly string[]): Example[] {
  const counts = new Map<string, number>()
  const blocks = readFileSync(root + page, 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)
  return [...blocks].flatMap(([, language = '', code = '']) => {
    const number = (counts.get(language) ?? 0) + 1
    counts.set(language, number)
    return languages.includes(language) ? [{ page, language, number, code }] : []
  })
}

export const nameOf = ({ page, language, number }: Example): string => `${page} ${language} ${number}`

/** Writes examples as modules into an empty folder. Returns file -> example. */
export function writeExamples(name: string, examples: readonly Example[]): Map<string, Example> {
  rmSync(folder + name, { recursive: true, force: true })
  mkdirSync(folder + name, { recursive: true })
  return new Map(
    examples.map((example) => {
      const file = `${example.page.replace(/^docs\/|\.md$/g, '')}-${example.number}.${example.language}`
      writeFileSync(`${folder}${name}/${file}`, `${example.code}\nexport {}\n`)
      return [file, example]
    }),
  )
}

/** Runs the n-th `ts` or `js` example of a page between two texts. Returns the example's exports and output. */
export async function runExample(
  page: string,
  number: number,
  before = '',
  after = '',
): Promise<{ exports: Record<string, unknown>; printed: unknown[][] }> {
  const example = examplesOf(page, 'ts', 'js')[number - 1]
  if (example === undefined) throw new Error(`${page} has no example ${number}`)
  const name = `run/${page.replace(/\W/g, '-')}-${number}`
  const [file] = [...writeExamples(name, [{ ...example, code: before + example.code + after }]).keys()]
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  try {
    const exports = await import(/* @vite-ignore */ `${folder}${name}/${file}`)
    return { exports, printed: log.mock.calls }
  } finally {
    log.mockRestore()
  }
}
