// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import type { JqOptions, JustBashShellOptions } from 'toolport/adapters/just-bash'
import { Listener } from '../contract/shell/case.js'
import { setup } from './just-bash-support.js'

const TICK_MS = 10
const RUNS_MS = 500
const ROUNDS = 5
const CALLS = 300

const BIG = 'one line of a file with a user in it, and another user\n'.repeat(190_000)

/** Scripts that are aborted half a second after they print `before`. */
const CASES: Readonly<Record<string, string>> = {
  'tight loop': 'echo before; while :; do :; done',
  'loop of commands': 'echo before; while :; do i=$((i+1)); echo $i > /tmp/n; done',
  'deep recursion': 'fib() { if [ $1 -lt 2 ]; then return; fi; fib $(($1-1)); fib $(($1-2)); }; echo before; fib 40',
  // Ends by itself at the limit of jobs; the next one does not.
  'fork bomb': 'echo before; bomb() { bomb | bomb & }; bomb; wait; sleep 1000',
  'jobs without end': 'echo before; while :; do for i in {1..100}; do : & done; wait; done',
  expansions: 'echo before; s=$(printf "%50000s"); while :; do t=${s// /ab}; set -- {a,b}{a,b}{a,b}; done',
  'string doubling': 'echo before; while :; do s=x; for i in {1..22}; do s=$s$s; done; done',
  'sed on 10 MB': `echo before; sed ${Array.from({ length: 8 }, (_, i) => `-e s/user/USER${i}/g -e s/USER${i}/user/g`).join(' ')} big.txt > out.txt`,
  'output flood': 'echo before; while :; do echo x; done',
  'deaf jq': "echo before; jq -n 'reduce range(0; 10000000) as $i (0; . + $i)'",
}

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? Number.NaN
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

type FiguresOptions = Pick<JustBashShellOptions, 'worker' | 'jq'>

/** Time from when the abort was due until the result, and the ticks of this thread in that time. */
async function stop(options: FiguresOptions, script: string): Promise<{ readonly ms: number; readonly ticks: number }> {
  const { shell } = setup({ files: { 'big.txt': BIG }, shell: options })
  await shell.open?.()
  const controller = new AbortController()
  const listener = new Listener()
  const running = shell.exec(script, { signal: controller.signal, onOutput: listener.onOutput })
  await listener.heard('before\n')
  const due = performance.now() + RUNS_MS
  let ticks = 0
  const ticking = setInterval(() => {
    if (performance.now() < due) ticks++
    else controller.abort()
  }, TICK_MS)
  await running
  clearInterval(ticking)
  const ms = performance.now() - due
  await shell.close?.()
  return { ms, ticks }
}

/** Measures a shell with this worker option, and returns the figures as text. */
export async function figures(name: string, worker: JustBashShellOptions['worker'], jq?: JqOptions): Promise<string> {
  const options: FiguresOptions = { worker: worker ?? false, ...(jq && { jq }) }
  const lines = [`\n${name}: median of ${ROUNDS} (worst)`]
  for (const [what, script] of Object.entries(CASES)) {
    const rounds: { readonly ms: number; readonly ticks: number }[] = []
    for (let i = 0; i < ROUNDS; i++) rounds.push(await stop(options, script))
    const latencies = rounds.map(({ ms }) => ms)
    const ticks = rounds.map(({ ticks }) => ticks)
    const own = RUNS_MS + median(latencies)
    const latency =
      own < RUNS_MS
        ? `ended by itself after ${own.toFixed(0)} ms`
        : `abort to result ${median(latencies).toFixed(0)} ms (${Math.max(...latencies).toFixed(0)})`
    lines.push(
      `  ${what.padEnd(18)} ${latency.padEnd(36)} ticks in ${Math.min(own, RUNS_MS).toFixed(0)} ms ${median(ticks)} (${Math.min(...ticks)})`,
    )
  }
  const firsts: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const { shell } = setup({ shell: { worker: worker ?? false } })
    firsts.push(await timed(() => shell.exec('echo hi')))
    await shell.close?.()
  }
  const { shell } = setup({ shell: { worker: worker ?? false } })
  const each: number[] = []
  for (let i = 0; i < CALLS; i++) each.push(await timed(() => shell.exec('echo hi')))
  await shell.close?.()
  lines.push(`  first exec of a shell ${median(firsts).toFixed(0)} ms (${Math.max(...firsts).toFixed(0)})`)
  lines.push(`  echo hi, each of ${CALLS}: ${median(each).toFixed(2)} ms`)
  return lines.join('\n')
}

/** MiB that an idle worker uses, measured by `used` in bytes. */
export async function idleMemory(
  worker: JustBashShellOptions['worker'],
  used: () => number | Promise<number>,
  shells = 8,
): Promise<string> {
  const before = await used()
  const made = Array.from({ length: shells }, () => setup({ shell: { worker: worker ?? false } }).shell)
  for (const shell of made) await shell.exec('echo hi')
  await sleep(1000)
  const each = ((await used()) - before) / shells / 1024 / 1024
  await Promise.all(made.map((shell) => shell.close?.()))
  return `  memory of an idle worker ${each.toFixed(1)} MiB (${shells} of them)`
}
