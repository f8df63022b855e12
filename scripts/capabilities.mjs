// Writes docs/presets.md: a guide whose examples are run on the build, then every documented capability with its code and tests.
// `node scripts/capabilities.mjs`; `--check` fails when the page is out of date, or when a row is not explained.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { DIFFERENCES } from './capabilities-differences.mjs'
import { guide } from './capabilities-guide.mjs'
import { ROWS } from './capabilities-rows.mjs'
import { testsOfRows } from './capabilities-tests.mjs'

/** @typedef {import('./capabilities-rows.mjs').Row} Row */
/** @typedef {import('./capabilities-tests.mjs').TaggedTest} TaggedTest */

const PAGE = 'docs/presets.md'
const COUNT = 113
/** Tests shown per row; further ones are only counted. */
const MOST_TESTS = 5
const PRESETS = /** @type {Record<string, string>} */ ({ A: 'loom', B: 'loaf', C: 'loom-elixir', D: 'zeroclaw' })

/** @param {Row} row @param {readonly TaggedTest[]} tests @returns {string[]} the problems of the row */
function problemsOf(row, tests) {
  const problems = (row.code ?? []).filter((path) => !existsSync(path)).map((path) => `${path} does not exist`)
  if (row.waits === '') problems.push('is open, and does not say what it waits for')
  if (row.waits !== undefined) return problems
  if (!row.code?.length) problems.push('has no code')
  if (tests.length === 0) problems.push('has no test')
  return problems
}

/** @param {string} path */
const link = (path) => `[${path.replace(/^.*\//, '')}](../${path})`

/** @param {readonly TaggedTest[]} tests */
function testsCell(tests) {
  const shown = tests.slice(0, MOST_TESTS).map(({ name }) => `\`${name}\``)
  const more = tests.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

/** @param {Row} row @param {readonly TaggedTest[]} tests */
function line({ row, what, from, code = [], waits }, tests) {
  const runtimes = [...new Set(tests.flatMap((test) => test.runtimes))].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
  const open = waits === undefined ? [] : [`**Open**: waits for ${waits}.`]
  const words = [...open, ...(differs.has(row) ? ['[differs](#what-differs-and-why)'] : [])]
  const presets = from.split(' ').map((letter) => PRESETS[letter])
  const cells = [String(row), what, presets.join(', '), code.map(link).join(', '), testsCell(tests), runtimes.join(', '), words.join(' ')]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
const differs = new Set(Object.values(DIFFERENCES).flatMap((list) => list.flatMap(([rows]) => rows)))
const ORDER = ['Node', 'Chromium', 'workerd']

/** @param {ReadonlyMap<number, readonly TaggedTest[]>} tests */
function table(tests) {
  const open = ROWS.filter(({ waits }) => waits !== undefined).length
  return [
    '## Every documented capability',
    '',
    `${ROWS.length} capabilities, ${ROWS.length - open} done, ${open} open. The columns name the tests by their file below \`test/\`, and the runtimes in which they run. Intended differences from the documentation are [below](#what-differs-and-why).`,
    '',
    '| | capability | presets | code | tests | run in | |',
    '|---|---|---|---|---|---|---|',
    ...ROWS.map((row) => line(row, tests.get(row.row) ?? [])),
    '',
  ].join('\n')
}

function differences() {
  const parts = Object.entries(DIFFERENCES).map(([preset, list]) => {
    const lines = list.map(
      ([rows, what, why]) => `- **${[rows].flat().join(', ')}** ${what}. *${why.charAt(0).toUpperCase()}${why.slice(1)}.*`,
    )
    return `**${preset === 'all' ? 'All presets' : preset}**\n\n${lines.join('\n')}`
  })
  return `## What differs, and why\n\nNumbers refer to the capabilities above. "The document" is the documentation of the agent that a preset follows, and "the source" is the code of this agent. The reason follows in italics.\n\n${parts.join('\n\n')}\n`
}

const tests = testsOfRows()
const known = new Set(ROWS.map(({ row }) => row))
const problems = [
  ...ROWS.flatMap((row) => problemsOf(row, tests.get(row.row) ?? []).map((problem) => `row ${row.row} (${row.what}) ${problem}`)),
  ...[...tests].flatMap(([row, tagged]) => (known.has(row) ? [] : tagged.map(({ name }) => `cap:${row} in ${name} names no row`))),
  ...[...differs].flatMap((row) => (known.has(row) ? [] : `a difference names row ${row}, which is none`)),
  ...(ROWS.some(({ row }, i) => row !== i + 1) || ROWS.length !== COUNT ? [`the rows are not those from 1 to ${COUNT}`] : []),
]
const page = `${await guide()}\n${table(tests)}\n${differences()}`
if (!process.argv.includes('--check')) writeFileSync(PAGE, page)
else if (!existsSync(PAGE) || readFileSync(PAGE, 'utf8') !== page)
  problems.push(`${PAGE} is out of date: run \`node scripts/capabilities.mjs\``)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
