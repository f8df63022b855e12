import { execFile, execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ToolRuntime } from 'toolport'
import { createNodeRuntime } from 'toolport/node'
import type { Bench } from './bench.js'
import { compare, spreadOf, type Task, wall } from './measure.js'
import { base } from './node-tools.js'
import { NEEDLE, source } from './worlds.js'

const PER_FOLDER = 100
const ROUNDS = 5
const GIB = 1024 ** 3
const run = promisify(execFile)
const group = `large trees and files in ${base}, against programs of the machine`

const made = new Map<string, string>()

/** Creates a directory once for all rows, and removes it when the process exits. */
function once(name: string, fill: (root: string) => void): string {
  const known = made.get(name)
  if (known !== undefined) return known
  const root = realpathSync(mkdtempSync(join(base, 'toolport-large-')))
  made.set(name, root)
  process.once('exit', () => rmSync(root, { recursive: true }))
  fill(root)
  return root
}

/** Files of 5 KB, one of which contains the needle. */
const tree = (count: number): string =>
  once(`tree ${count}`, (root) => {
    for (let i = 0; i < count; i++) {
      const folder = join(root, `pkg${String(Math.floor(i / PER_FOLDER)).padStart(4, '0')}`)
      if (i % PER_FOLDER === 0) mkdirSync(folder)
      const text = source(i)
      writeFileSync(join(folder, `module-${i}.ts`), i === 7 ? text.replace('compute', NEEDLE) : text)
    }
  })

const largeFile = (): string =>
  once('file', (root) => {
    const part = Buffer.from(source(1).repeat(250))
    const fd = openSync(join(root, 'large.txt'), 'w')
    for (let size = 0; size < GIB; size += part.length) writeSync(fd, part)
    closeSync(fd)
  })

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

interface Against {
  readonly name: string
  readonly program: string
  readonly arguments: (root: string) => readonly string[]
  readonly root: () => string
  readonly ours: (runtime: ToolRuntime) => Task
  readonly target?: number
}

const against = ({ name, program, arguments: given, root: make, ours, target }: Against): Bench => ({
  group,
  name,
  async run(plan) {
    if (!isThere(program)) return { spread: spreadOf([]), unit: 'x', needs: program }
    const root = make()
    const runtime = createNodeRuntime({ root })
    const floor: Task = () => run(program, given(root), { maxBuffer: GIB })
    const { ratio, ...times } = await compare(floor, ours(runtime), { rounds: Math.min(plan.rounds, ROUNDS), budgetMs: 1 }, wall)
    await runtime.dispose()
    return { ...times, spread: ratio, unit: 'x', ...(target !== undefined && { target }) }
  },
})

async function allPages(runtime: ToolRuntime): Promise<number> {
  let count = 0
  for (let cursor: string | undefined; ; ) {
    const output = await runtime.call('list_files', { path: '.', recursive: true, limit: 1000, ...(cursor && { cursor }) })
    const { entries, next } = output as unknown as { readonly entries: readonly unknown[]; readonly next?: string }
    count += entries.length
    if (next === undefined) return count
    cursor = next
  }
}

const greps = (count: number, pattern: string, what: string): Bench =>
  against({
    name: `grep ${what}, ${count.toLocaleString('en')} files, rg`,
    program: 'rg',
    arguments: (root) => ['--line-number', pattern, root],
    root: () => tree(count),
    ours: (runtime) => () => runtime.call('grep', { pattern }),
    target: 1.5,
  })

const reads = (name: string, input: object): Bench => ({
  group,
  name,
  async run(plan) {
    const runtime = createNodeRuntime({ root: largeFile() })
    const read: Task = () => runtime.call('read_file', { path: 'large.txt', ...input })
    const { ours, added } = await compare(() => undefined, read, plan, wall)
    await runtime.dispose()
    const ms = { min: added.min / 1000, median: added.median / 1000, max: added.max / 1000 }
    return { ours, spread: ms, unit: 'ms', target: 5 }
  },
})

export const largeTrees: readonly Bench[] = [
  greps(10_000, NEEDLE, 'text'),
  greps(100_000, NEEDLE, 'text'),
  greps(100_000, 'create[A-Z]eedle\\(', 'pattern'),
  against({
    name: 'list 100,000 files, all pages, find -printf',
    program: 'find',
    arguments: (root) => [root, '-printf', '%p %y %s\\n'],
    root: () => tree(100_000),
    ours: (runtime) => () => allPages(runtime),
    target: 3,
  }),
  against({
    name: 'grep text in 1 GiB, rg',
    program: 'rg',
    arguments: (root) => ['--files-without-match', NEEDLE, join(root, 'large.txt')],
    root: largeFile,
    ours: (runtime) => () => runtime.call('grep', { pattern: NEEDLE, path: 'large.txt' }),
  }),
  reads('first 100 lines of 1 GiB', { limit: 100 }),
  reads('last 100 lines of 1 GiB', { offset: -100 }),
]
