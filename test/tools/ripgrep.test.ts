// @module-tag grep
import { describe, expect, it } from 'vitest'
import recorded from '../fixtures/ripgrep.json' with { type: 'json' }
import { bench } from './harness.js'

interface Query {
  readonly pattern: string
  readonly options: Readonly<Record<string, unknown>> & { readonly ignoreCase?: boolean; readonly output?: string }
  readonly glob?: string
  readonly matches?: readonly { readonly path: string; readonly line: number; readonly column: number; readonly text?: string }[]
  readonly files?: readonly string[]
  readonly counts?: Readonly<Record<string, number | undefined>>
}

const { base64, text } = recorded.tree as { readonly base64: Record<string, string>; readonly text: Record<string, string> }
const files = {
  ...text,
  ...Object.fromEntries(Object.entries(base64).map(([path, data]) => [path, Uint8Array.from(atob(data), (unit) => unit.charCodeAt(0))])),
}
const queries = (recorded.queries as readonly Query[]).map((query) => ({
  ...query,
  name: JSON.stringify([query.pattern, query.options, query.glob]),
}))

const inputOf = ({ pattern, options, glob }: Query): Record<string, unknown> => {
  const { ignoreCase, output, ...same } = options
  const mode = output === 'count' || output === 'files' ? { output } : {}
  return {
    pattern,
    ...same,
    ...mode,
    ...(ignoreCase !== undefined && { ignore_case: ignoreCase }),
    ...(glob !== undefined && { glob }),
    limit: 5000,
  }
}
const relative = (path: string): string => path.slice('/workspace/'.length)

describe(`grep finds what ${recorded.ripgrep} found cap:72`, () => {
  const { ok } = bench(files)

  it.each(queries.filter(({ matches }) => matches))('$name', async (query) => {
    const { matches } = await ok('grep', inputOf(query))
    const found = matches.map(({ path, line, column }: { path: string; line: number; column: number }) => ({
      path: relative(path),
      line,
      column,
    }))
    expect(found).toEqual(query.matches?.map(({ path, line, column }) => ({ path, line, column })))
    for (const [i, match] of (query.matches ?? []).entries()) if (match.text !== undefined) expect(matches[i].text).toBe(match.text)
  })

  it.each(queries.filter(({ counts, files }) => counts ?? files))('$name', async (query) => {
    const { counts } = await ok('grep', { ...inputOf(query), output: 'count' })
    const found = Object.fromEntries(counts.map(({ path, count }: { path: string; count: number }) => [relative(path), count]))
    if (query.counts) expect(found).toEqual(query.counts)
    const { files } = await ok('grep', { ...inputOf(query), output: 'files' })
    expect(files.map(relative)).toEqual(query.files ?? Object.keys(query.counts ?? {}))
  })
})
