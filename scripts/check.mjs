// Runs every check of package.json, some at a time, after one build. Prints a line when a check ends, and then the output of failed checks.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'

const AT_ONCE = Math.min(4, Math.max(2, availableParallelism()))
/** Maximum number of output lines per failed check. */
const SHOWN = 80

/** Slow checks first. Checks whose script begins with the build share the single build of this run. */
const waiting = [
  'build',
  'check:lint',
  'check:lock',
  'check:boundaries',
  'check:types',
  'check:package',
  'check:unused',
  'check:docs',
  'check:reference',
  'check:budgets',
]
const BUILD = 'npm run build && '
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
const env = { ...process.env, PATH: [join(process.cwd(), 'node_modules/.bin'), process.env.PATH].join(delimiter) }
const began = performance.now()
/** @param {number} from */
const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1).padStart(5)} s`

/** @type {{ name: string, output: string }[]} */
const failed = []
/** @type {Promise<boolean> | undefined} */
let build

await Promise.all(Array.from({ length: AT_ONCE }, worker))

for (const { name, output } of failed) {
  const lines = output.trim().split('\n')
  console.log(`\n--- failed: npm run ${name}\n${lines.slice(0, SHOWN).join('\n')}`)
  if (lines.length > SHOWN) console.log(`(${lines.length - SHOWN} more lines)`)
}
console.log(`\n${failed.length === 0 ? 'All checks passed' : `${failed.length} failed`} in ${seconds(began).trim()}`)
for (const { name } of failed) console.log(`  npm run ${name}`)
process.exitCode = failed.length > 0 ? 1 : 0

/** Runs waiting checks one after another until none is left. */
async function worker() {
  for (let name = waiting.shift(); name; name = waiting.shift()) {
    if (scripts[name].startsWith(BUILD) && !(await build)) {
      console.log(`skipped  ${name}: the build failed`)
      continue
    }
    const result = run(name)
    if (name === 'build') build = result
    await result
  }
}

/** @param {string} name @returns {Promise<boolean>} whether it passed */
function run(name) {
  const start = performance.now()
  const child = spawn(scripts[name].replace(BUILD, ''), { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text))
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const passed = code === 0
      console.log(`${passed ? 'ok    ' : 'FAILED'} ${seconds(start)}  ${name}`)
      if (!passed) failed.push({ name, output })
      resolve(passed)
    })
  })
}
