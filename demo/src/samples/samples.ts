import type { Files } from '../session.js'

/** A sample project. */
export interface Sample {
  /** Name of its workspace. */
  readonly name: string
  readonly label: string
  readonly about: string
  files(): Promise<Files>
}

type Texts = Readonly<Record<string, () => Promise<string>>>

// Each file loads only when its sample is opened.
const DURATIONS: Texts = import.meta.glob<string>('./durations/**/*', { query: '?raw', import: 'default' })
const NOTES: Texts = import.meta.glob<string>('./notes-api/**/*', { query: '?raw', import: 'default' })
const ORDERS: Texts = import.meta.glob<string>('./orders/**/*', { query: '?raw', import: 'default' })
const REACT: Texts = import.meta.glob<string>('./react-app/**/*', { query: '?raw', import: 'default' })

export const samples: readonly Sample[] = [
  {
    name: 'durations',
    label: 'A TypeScript library with tests',
    about: 'Reads and prints durations such as “1h 30m”. Its tests run here: break something, and let an agent find it.',
    files: () => load(DURATIONS),
  },
  {
    name: 'orders',
    label: 'A data-cleaning task',
    about: 'Orders from three shops in one untidy table. A script to write, and a check that fails until it is right.',
    files: () => load(ORDERS),
  },
  {
    name: 'react-app',
    label: 'A React app',
    about: 'A list of tasks. “npm run dev” installs React and opens the app in the preview; a change is shown when it is saved.',
    files: () => load(REACT),
  },
  {
    name: 'notes-api',
    label: 'An HTTP API',
    about: 'A server with node:http, and a page that uses it. “npm start” opens it in the preview; curl reaches it too.',
    files: () => load(NOTES),
  },
  {
    name: 'toolport',
    label: 'Toolport’s sources',
    about: 'This library’s own TypeScript, to search, to read and to change.',
    files: async () => (await import('../seed.js')).seedFiles,
  },
]

async function load(texts: Texts): Promise<Files> {
  const loaded = await Promise.all(
    Object.entries(texts).map(async ([path, text]) => [path.replace(/^\.\/[^/]+\//, ''), await text()] as const),
  )
  return Object.fromEntries(loaded)
}
