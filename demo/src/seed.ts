import { sampleProgram } from './sample-program.js'

const SOURCES = import.meta.glob<string>('../../src/**/*.ts', { query: '?raw', import: 'default', eager: true })
const TEXTS = import.meta.glob<string>('../../{README.md,LICENSE}', { query: '?raw', import: 'default', eager: true })

/** This repository's own sources at build time, and a sample program. */
export const seedFiles: Readonly<Record<string, string>> = {
  ...sampleProgram,
  ...Object.fromEntries(Object.entries({ ...TEXTS, ...SOURCES }).map(([path, text]) => [path.replace(/^(\.\.\/)+/, ''), text])),
}
