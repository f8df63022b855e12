// @module-tag grep
import { describe, expect, it } from 'vitest'
import { compilePattern } from '../../src/ops/compile-pattern.js'
import { compileGlob } from '../../src/ops/glob.js'
import type { GrepMatch } from '../../src/ops/grep.js'
import recorded from '../fixtures/ripgrep.json' with { type: 'json' }
import { grepText } from './grep-text.js'

interface Query {
  readonly pattern: string
  readonly options: {
    readonly literal?: boolean
    readonly ignoreCase?: boolean
    readonly multiline?: boolean
    readonly hidden?: boolean
    readonly ignore?: boolean
    readonly before?: number
    readonly after?: number
    readonly output?: string
  }
  readonly glob?: string
  readonly matches?: readonly {
    readonly path: string
    readonly line: number
    readonly column: number
    readonly text?: string
    readonly length?: number
  }[]
  readonly context?: readonly { readonly path: string; readonly line: number; readonly text: string }[]
  readonly files?: readonly string[]
  readonly counts?: Readonly<Record<string, number | undefined>>
}

const texts: Readonly<Record<string, string | undefined>> = recorded.tree.text
const queries: readonly Query[] = recorded.queries

/** The text files that ripgrep searched, in its order. For `-g`, a name without a slash matches at any depth. */
function searched({ options, glob }: Query): [path: string, text: string][] {
  const { default: plain, hidden, all } = recorded.files
  const files = options.ignore === false ? (options.hidden ? all : recorded.files['no-ignore']) : options.hidden ? hidden : plain
  const anyDepth = glob?.replace(/^(!?)(?=[^/]*$)/, '$1**/')
  const filter = anyDepth === undefined ? undefined : compileGlob(anyDepth)
  return files.flatMap((path) => {
    const text = texts[path]
    return text !== undefined && (filter?.matches(path) ?? true) ? [[path, text] as [string, string]] : []
  })
}

async function run(query: Query): Promise<[path: string, matches: readonly GrepMatch[]][]> {
  const matcher = await compilePattern(query.pattern, query.options)
  return searched(query).map(([path, text]) => [path, grepText(text, matcher, query.options).matches])
}

describe(`grep on the sample tree finds what ${recorded.ripgrep} finds`, () => {
  const named = queries.map((query) => ({ ...query, name: JSON.stringify([query.pattern, query.options, query.glob]) }))

  it.each(named.filter(({ matches }) => matches))('$name', async (query) => {
    const found = (await run(query)).flatMap(([path, matches]) => matches.map(({ line, column, text }) => ({ path, line, column, text })))
    expect(found.map(({ text, ...place }) => place)).toEqual(query.matches?.map(({ path, line, column }) => ({ path, line, column })))
    for (const [i, { text, length }] of (query.matches ?? []).entries()) {
      if (length === undefined) expect(found[i]?.text).toBe(text)
      else expect(found[i]?.text).toMatch(/\[\d+ characters cut\]/)
    }
  })

  it.each(named.filter(({ files, counts }) => files ?? counts))('$name', async (query) => {
    const matcher = await compilePattern(query.pattern, query.options)
    const counts = searched(query)
      .map(([path, text]) => [path, grepText(text, matcher, { mode: 'count' }).count] as const)
      .filter(([, count]) => count > 0)
    if (query.counts) expect(Object.fromEntries(counts)).toEqual(query.counts)
    const files = searched(query).filter(([, text]) => grepText(text, matcher, { mode: 'files' }).count > 0)
    expect(files.map(([path]) => path)).toEqual(query.files ?? Object.keys(query.counts ?? {}))
  })

  it('the context lines are the same', async () => {
    const query = queries.find(({ context }) => context)
    const lines = new Set((query ? await run(query) : []).flatMap(([path, matches]) => matches.flatMap((match) => around(path, match))))
    expect(query?.context?.length).toBeGreaterThan(5)
    for (const { path, line, text } of query?.context ?? []) expect(lines).toContain(`${path}:${line}:${text}`)
  })

  it('the recorded cases use every engine', async () => {
    const engines = await Promise.all(queries.map(async ({ pattern, options }) => (await compilePattern(pattern, options)).engine))
    expect(new Set(engines)).toEqual(new Set(['literal', 'native', 're2']))
  })
})

function around(path: string, { line, before = [], after = [] }: GrepMatch): string[] {
  return [
    ...before.map((text, i) => `${path}:${line - before.length + i}:${text}`),
    ...after.map((text, i) => `${path}:${line + 1 + i}:${text}`),
  ]
}
