import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { aborts } from './aborts.js'
import { aiSdk } from './ai-sdk.js'
import { checkpoints } from './checkpoints.js'
import { largeTrees } from './large-trees.js'
import { mcp } from './mcp.js'
import { mcpStdio } from './mcp-stdio.js'
import type { Plan } from './measure.js'
import { memoryFs } from './memory-fs.js'
import { memoryTools } from './memory-tools.js'
import { nodeTools } from './node-tools.js'
import { peers } from './peers.js'
import { sessions } from './sessions.js'
import { shells } from './shells.js'
import { start } from './start.js'
import { isMet, type Row, renderHead, renderMarkdown, renderRow } from './table.js'
import { turns } from './turns.js'
import { walks } from './walks.js'
import { workspaces } from './workspaces.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    budget: { type: 'string', default: '25' },
    filter: { type: 'string', default: '' },
    out: { type: 'string' },
    against: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

const usage = `npm run bench -- [options]

  --rounds N     rounds of floor and ours in turn (default 9)
  --budget MS    time for one side of one round (default 25)
  --filter TEXT  only rows whose group or name has this in it
  --out NAME     also writes NAME.json and NAME.md
  --against FILE a NAME.json of another run, whose medians stand beside these

Ratios are taken round by round; floor and ours are medians. On memory they are CPU time of the process, so that a busy machine changes
them little; aborts, the Node adapter, large trees, MCP over stdio, Durable Objects, shells, start and workspaces are wall time. A target bounds the median, for aborts the worst.
Peaks of walks: heap and buffers beyond what was there before; of workerd all that is resident.
The floor is written down in test/bench/floor.ts, map-tree.ts, floor-node.ts, floor-shell.ts and floor-sessions.ts.`

function positive(name: 'rounds' | 'budget'): number {
  const value = Number(values[name])
  if (Number.isInteger(value) && value > 0) return value
  throw new RangeError(`--${name} takes a whole number above 0, not "${values[name]}"`)
}

async function run(plan: Plan, show: (row: Row) => void): Promise<Row[]> {
  const all = [
    ...memoryTools,
    ...memoryFs,
    ...checkpoints,
    ...walks,
    ...aborts,
    ...turns,
    ...nodeTools,
    ...largeTrees,
    ...shells,
    ...sessions,
    ...mcp,
    ...mcpStdio,
    ...aiSdk,
    ...start,
    ...workspaces,
    ...peers,
  ]
  const rows: Row[] = []
  for (const { group, name, run } of all) {
    if (!`${group} ${name}`.includes(values.filter)) continue
    const row = { group, name, ...(await run(plan)) }
    rows.push(row)
    show(row)
  }
  return rows
}

/** The content of the `--out` file. */
interface Saved {
  readonly machine: string
  readonly rows: readonly Row[]
}

async function main(): Promise<void> {
  const plan = { rounds: positive('rounds'), budgetMs: positive('budget') }
  const begin = performance.now()
  const machine = `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, load ${loadavg()[0]?.toFixed(1)}, ${plan.rounds} rounds`
  const earlier: Saved | undefined = values.against === undefined ? undefined : JSON.parse(readFileSync(values.against, 'utf8'))
  const before = new Map(earlier?.rows.map((row) => [`${row.group} ${row.name}`, row]))
  const beforeOf = (row: Row): Row | undefined => before.get(`${row.group} ${row.name}`)
  console.log(`${machine}\n\n${renderHead()}`)
  let group = ''
  const rows = await run(plan, (row) => {
    if (row.group !== group) console.log(row.group)
    group = row.group
    console.log(renderRow(row, beforeOf(row)))
  })
  const met = rows.map(isMet).filter((ok) => ok !== undefined)
  const missed = met.filter((ok) => !ok).length
  console.log(`\n${met.length - missed} of ${met.length} targets met, ${((performance.now() - begin) / 1000).toFixed(0)} s`)
  if (values.out === undefined) return
  const saved: Saved = { machine, rows }
  writeFileSync(`${values.out}.json`, `${JSON.stringify(saved, null, 2)}\n`)
  writeFileSync(`${values.out}.md`, `${machine}\n\n${renderMarkdown(rows, beforeOf)}\n`)
}

if (values.help) console.log(usage)
else await main()
