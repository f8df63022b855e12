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
import { sessions } from './sessions.js'
import { shells } from './shells.js'
import { start } from './start.js'
import { isMet, type Row, renderHead, renderRow } from './table.js'
import { walks } from './walks.js'
import { workspaces } from './workspaces.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    budget: { type: 'string', default: '25' },
    filter: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const usage = `npm run bench -- [options]

  --rounds N     rounds of floor and ours in turn (default 9)
  --budget MS    time for one side of one round (default 25)
  --filter TEXT  only rows whose group or name has this in it
  --json         one object a row instead of the table

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
    ...nodeTools,
    ...largeTrees,
    ...shells,
    ...sessions,
    ...mcp,
    ...mcpStdio,
    ...aiSdk,
    ...start,
    ...workspaces,
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

async function main(): Promise<void> {
  const plan = { rounds: positive('rounds'), budgetMs: positive('budget') }
  if (values.json) {
    await run(plan, (row) => console.log(JSON.stringify({ ...row, ok: isMet(row) ?? null })))
    return
  }
  const begin = performance.now()
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, load ${loadavg()[0]?.toFixed(1)}`
  console.log(`Node ${process.version}, ${machine}, ${plan.rounds} rounds\n\n${renderHead()}`)
  let group = ''
  const rows = await run(plan, (row) => {
    if (row.group !== group) console.log(row.group)
    group = row.group
    console.log(renderRow(row))
  })
  const met = rows.map(isMet).filter((ok) => ok !== undefined)
  const missed = met.filter((ok) => !ok).length
  console.log(`\n${met.length - missed} of ${met.length} targets met, ${((performance.now() - begin) / 1000).toFixed(0)} s`)
}

if (values.help) console.log(usage)
else await main()
