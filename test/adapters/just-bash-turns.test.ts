// @module-tag virtual-shell
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { describe, expect, it } from 'vitest'
import { systemHost } from '../../src/host.js'
import { setup } from './just-bash-support.js'

const LINES = 'one line of a file with a user in it, and another user\n'.repeat(40_000)
const FILES = { 'lines.txt': LINES, 'line.txt': LINES.replaceAll('\n', ' ') }

/**
 * A shell whose clock stands still, as in a Worker, so that work yields by count alone. `sleep` never resolves, so that only the work
 * itself can notice an abort. `onTurn` is called each time that the work yields to the event loop.
 */
function counted(onTurn: (turns: number) => void = () => {}) {
  let turns = 0
  const host = {
    ...systemHost,
    now: () => 0,
    sleep: (_: number, signal?: AbortSignal) => new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve())),
    async yield() {
      onTurn(++turns)
      await systemHost.yield()
    },
  }
  return { ...setup({ files: FILES, workspace: { host } }), turns: () => turns }
}

/** Scripts that process 2 MB or about 100,000 words without a pause of their own. */
const WORK: readonly string[] = [
  'echo {1..200000} > out',
  'for i in {1..200000}; do break; done',
  'echo {1..500}{1..400} > out',
  'set -- $(seq 1 200000)',
  'for i in $(seq 1 200000); do break; done',
  's=$(cat line.txt); t=${s// /--}',
  's=$(cat line.txt); t=${s//us?r/--}',
  'seq 200000 > out',
  'sed s/user/USER/g lines.txt > out',
  'sed s/user/USER/g line.txt > out',
  "sed -E 's/(us|use)er?/X/g' lines.txt > out",
  'sed y/abc/xyz/ line.txt > out',
  'sed -n l line.txt > out',
  "sed -n 'H;${x;s/\\n/,/g;p}' lines.txt > out",
  'grep -n user lines.txt > out',
  'awk \'{ gsub(/user/, "X"); print }\' lines.txt > out',
  'sort lines.txt > out',
  'tr a-z A-Z < line.txt > out',
  'cut -c1-5 lines.txt > out',
  'wc -w lines.txt',
  'od -c lines.txt > out',
  'md5sum line.txt',
]

const ENDLESS: readonly string[] = ["sed ':a;ba' lines.txt", "awk 'BEGIN { while (1); }'", "sed -n ':a;s/user/user/;ta' line.txt"]

describe('one command on several megabytes', () => {
  it.each([
    'echo {1..200000} > out',
    's=$(cat line.txt); t=${s// /--}',
    'sed s/user/USER/g lines.txt > out',
    'sed s/user/USER/g line.txt > out',
    'tr a-z A-Z < line.txt > out',
  ])('yields to the event loop: %s', async (script) => {
    const { shell, turns } = counted()
    expect(await shell.exec(script)).toMatchObject({ exitCode: 0, stderr: '' })
    expect(turns()).toBeGreaterThanOrEqual(2)
  })

  it.each([...WORK, ...ENDLESS])('stops at the next turn after an abort and runs nothing more: %s', async (script) => {
    const stop = new AbortController()
    const { shell, turns, workspace } = counted(() => stop.abort())
    const result = await shell.exec(`echo before; ${script}; touch after`, { signal: stop.signal })
    expect(result).toMatchObject({ aborted: true, exitCode: null, stdout: expect.stringMatching(/^before\n/) })
    const then = turns()
    expect(then).toBeLessThanOrEqual(4)
    for (let i = 0; i < 5; i++) await systemHost.yield()
    expect(turns()).toBe(then)
    expect(await workspace.exists('after')).toBe(false)
    expect(await shell.exec('echo next')).toMatchObject({ exitCode: 0, stdout: 'next\n' })
  })

  it.each(ENDLESS.slice(0, 2))('is stopped by a timer in the same thread: %s', async (script) => {
    const { shell } = setup({ files: FILES })
    const stop = new AbortController()
    let ticks = 0
    const ticking = setInterval(() => {
      if (++ticks === 5) stop.abort()
    }, 5)
    expect(await shell.exec(script, { signal: stop.signal })).toMatchObject({ aborted: true })
    clearInterval(ticking)
    expect(ticks).toBeGreaterThanOrEqual(5)
  })
})

describe('expansions', () => {
  it.each([
    ['echo {1..100000..3} {20000..1} {01..10} {a..e}{1..3} x{a,b}y{c,d}z | md5sum', 'fe2a860244972c93311f11875fa6a2bd  -\n'],
    ['echo {-5..20000..7} {10..-10000..-3} | md5sum', 'da6824a7483d60cfdfaca9a9e7e02109  -\n'],
    [
      's="a.b*c/d"; echo "${s//./-} ${s//\\*/x} ${s//\\//_} ${s//?/+} ${s//[a-c]/Z} ${s//b*/y}"',
      'a-b*c/d a.bxc/d a.b*c_d +++++++ Z.Z*Z/d a.y\n',
    ],
    ['set -- $(seq 1 100000); echo $# ${100000}; set -- a b; echo $# $1 "$3"', '100000 100000\n2 a \n'],
    ['IFS=,; s=$(seq -s, 1 60000),,x; set -- $s; echo "$# ${60000} [${60001}] ${60002}"', '60002 60000 [] x\n'],
    ['for j in {1..11}; do for i in {1..10000}; do break; done; done; echo $j', '11\n'],
  ])('expansions to many words match those of bash: %s', async (script, stdout) => {
    const { shell } = setup()
    expect(await shell.exec(script)).toMatchObject({ exitCode: 0, stderr: '', stdout })
  })

  it.each(['echo {1..10000000}', `echo ${'{a,b}'.repeat(30)}`])('too many words fail and name the limit: %s', async (script) => {
    const { shell } = setup()
    const result = await shell.exec(`echo before; ${script}`)
    expect(result).toMatchObject({ exitCode: 126, stdout: 'before\n' })
    expect(result.stderr).toMatch(/brace expansion .*limit exceeded \(1000000/)
  })
})
