import type { Example } from './known.js'

const QUERY = 'browser file system access API'

/** For a tool that takes a query, and so many results under this name. */
export const searchExamples = (count: 'max_results' | 'num_results'): Example[] => [
  { label: 'A search', input: { query: QUERY, [count]: 3 } },
]

export const webSearchExamples: readonly Example[] = [
  ...searchExamples('max_results'),
  { label: 'Of one site', input: { query: QUERY, include_domains: ['developer.mozilla.org'] } },
  { label: 'No domain', input: { query: QUERY, include_domains: ['https://example.com/'] } },
]
