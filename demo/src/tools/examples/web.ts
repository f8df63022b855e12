import type { Example } from './known.js'

const QUERY = 'browser file system access API'

/** Examples for a search tool. `count`: its parameter for the number of results. */
export const searchExamples = (count: 'max_results' | 'num_results'): Example[] => [
  { label: 'A search', input: { query: QUERY, [count]: 3 } },
]

export const webSearchExamples: readonly Example[] = [
  ...searchExamples('max_results'),
  { label: 'Of one site', input: { query: QUERY, include_domains: ['developer.mozilla.org'] } },
  { label: 'No domain', input: { query: QUERY, include_domains: ['https://example.com/'] } },
]
