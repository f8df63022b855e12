import type { SeedEntry } from './just-bash-find-seed.js'

export const LANGUAGE_SEED: readonly SeedEntry[] = [
  { path: 'a.txt', text: 'one\ntwo\nthree\n' },
  { path: 'b.csv', text: 'id,name,\n1,,x\n22,bob,yy\n' },
  { path: 'n', text: '10\n9\n2\n1\n' },
  { path: 'src/x.js', text: 'let x = 1\n// TODO y\n' },
  { path: 'src/y.ts', text: 'export const y = 2\n' },
]
