// Writes test/adapters/gnu-options.json: the options in the help of this machine's programs, by command of the virtual bash. `npm run docs`
// uses it to list the options that the virtual bash lacks.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createJustBashShell } from '../dist/adapters/just-bash/index.js'
import { createMemoryFs } from '../dist/adapters/memory/index.js'
import { createWorkspace } from '../dist/src/index.js'

const shell = createJustBashShell({ scratch: createMemoryFs() })(createWorkspace({ fs: createMemoryFs() }))
const { stdout } = await shell.exec('ls /bin')
/** Programs whose help lists no options in GNU style, and builtins of bash. */
const SKIPPED = new Set([
  'awk',
  'bash',
  'dd',
  'echo',
  'expr',
  'false',
  'find',
  'gawk',
  'printf',
  'pwd',
  'rg',
  'sh',
  'strings',
  'test',
  'time',
  'true',
  'unzip',
  'xxd',
  'zip',
])

/** @type {Record<string, string[]>} */
const found = {}
for (const name of stdout.split(/\s+/).filter((each) => each !== '' && !SKIPPED.has(each))) {
  const { stdout: help, status } = spawnSync(name, ['--help'], {
    encoding: 'utf8',
    timeout: 5000,
    input: '',
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  })
  if (status !== 0 || !help) continue
  const options = help.split('\n').flatMap((line) => {
    const [, names = ''] = /^ {1,8}(-[^ ].*?)(?: {2,}|$)/.exec(line) ?? []
    return [...names.matchAll(/(?:^|[ ,])(--?[A-Za-z0-9@#][\w-]*)/g)].map(([, option = '']) => option)
  })
  if (options.length > 0) found[name] = [...new Set(options)].filter((option) => option !== '--help' && option !== '--version')
}
writeFileSync(fileURLToPath(new URL('../test/adapters/gnu-options.json', import.meta.url)), `${JSON.stringify(found, null, 2)}\n`)
console.log(`recorded the options of ${Object.keys(found).length} commands`)
process.exit(0)
