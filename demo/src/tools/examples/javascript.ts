import { SAMPLE_PATH } from '../../sample-program.js'
import type { Example, Known } from './known.js'

const LARGEST = `import { readdir, stat } from 'node:fs/promises'

const names = (await readdir('.', { withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name)
const sizes = await Promise.all(names.map(async (name) => ({ name, bytes: (await stat(name)).size })))
sizes.sort((a, b) => b.bytes - a.bytes)
for (const { name, bytes } of sizes.slice(0, 5)) console.log(String(bytes).padStart(8), name)
`

const GREET = `process.stdin.setEncoding('utf8')
console.log('Who is there?')
process.stdin.on('data', (name) => console.log('Hello, ' + name.trim() + '!'))
`

const isSource = /\.(?:[cm]?js|[cm]?ts)$/
const needsOthers = /\b(?:import|require)\b/

/** A file that runs without other files. */
export const runnable = ({ texts }: Known): string | undefined =>
  texts.has(SAMPLE_PATH)
    ? SAMPLE_PATH
    : [...texts].find(([path, text]) => isSource.test(path) && !path.endsWith('.d.ts') && !needsOthers.test(text))?.[0]

/** `slow`: the option for a short timeout, as named by the preset. */
export const programExamples = (slow: object): readonly Example[] => [
  { label: 'The largest files', input: { code: LARGEST } },
  { label: 'A package (install it first)', input: { code: "import { nanoid } from 'nanoid'\n\nconsole.log(nanoid())\n" } },
  { label: 'Arguments', input: { code: 'console.log(process.argv.slice(2))', args: ['one', 'two words'] } },
  { label: 'An error', input: { code: "throw new Error('as an example')" } },
  { label: 'One that has to be stopped', input: { code: 'while (true) {}', ...slow } },
]

export const moduleExamples = (known: Known): (Example | undefined)[] => {
  const path = runnable(known)
  return [
    path === undefined ? undefined : { label: 'A file', input: { module: path } },
    { label: 'The program of a package (install it first)', input: { module: 'nanoid' } },
    { label: 'Neither', input: { module: 'missing' } },
  ]
}

export const installExamples: readonly Example[] = [
  { label: 'One package', input: { packages: ['nanoid'] } },
  { label: 'Two of them, by version', input: { packages: ['zod@^4', 'yaml@latest'] } },
]

/** A program that asks for input and runs until stopped. */
export const backgroundProgram: Example = { label: 'One that asks', input: { code: GREET, session_name: 'greeter' } }
