// @module-tag virtual-shell
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { describe, expect, inject, it } from 'vitest'
import { systemHost } from '../../src/host.js'
import { withGrowingTime } from '../contract/shell/case.js'
import { jqCases } from './just-bash-jq-cases.js'
import { setup } from './just-bash-support.js'
import { shellWorkers } from './node-workers.js'

jqCases(undefined, inject('isDeep') ? 1 : 3)

const ERRORS_FIRST = 'jq: error (at <unknown>): x\n1\n["DEBUG:",1]\n2\n'

describe('jq in the shell', () => {
  it('exits with 127 and names the package to install if jq-wasm is missing', async () => {
    const { shell } = setup({ shell: { jq: { wasm: new URL('./nowhere.wasm', import.meta.url) } } })
    const { stdout, stderr, exitCode } = await shell.exec('echo "{}" | jq .')
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 127 })
    expect(stderr).toMatch(/^jq: Cannot run jq: .*ENOENT.*awk.*install jq-wasm 3\.0\.0-jq-1\.8\.2/)
  })

  it('rejects a WebAssembly module of another build', async () => {
    const wasm = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0))
    const { stderr, exitCode } = await setup({ shell: { jq: { wasm } } }).shell.exec('jq -n 1')
    expect({ exitCode }).toEqual({ exitCode: 127 })
    expect(stderr).toContain('another build')
  })

  it.each([
    ['does not consume input with -n', 'printf "a\\nb\\n" | while read x; do jq -n --arg x "$x" \'$x\'; done', '"a"\n"b"\n'],
    ['reads all of its input', 'printf "1 2" | { jq -c .; cat; }', '1\n2\n'],
    ['sees only exported variables', "A=1; export B=2; C=3 jq -n -c '[env.A, env.B, $ENV.C]'", '[null,"2","3"]\n'],
    ['replaces invalid UTF-8 like jq', 'printf \'"\\xff"\' | jq . | od -An -tx1', ' 22 ef bf bd 22 0a\n'],
    ['reads modules that are named only in its program', 'echo "def f: 7;" > m.jq; jq -n -L. \'import "m" as m; m::f\'', '7\n'],
    ['reads links and names with special characters', 'echo 1 > "a(b).json"; ln -s "a(b).json" l; jq . "a(b).json" l', '1\n1\n'],
    ['uses the time zone in TZ', 'TZ=America/New_York jq -n -r \'1700000000 | strflocaltime("%H %Z %z")\'', '17 EST -0500\n'],
    ['uses daylight saving time', 'TZ=America/New_York jq -n -r \'1690000000 | strflocaltime("%H %Z %z")\'', '00 EDT -0400\n'],
    [
      'leaves no state behind for the next program',
      'jq -n "[range(100000)] | length"; jq -n "$ENV | has(\'x\')" 2>/dev/null; jq -n 1',
      '100000\n1\n',
    ],
    ['supports POSIX time zones', 'TZ=UTC-3 jq -n \'0 | strflocaltime("%H %Z %z")\'', '"03 UTC +0300"\n'],
    ['prints time zone abbreviations', 'TZ=Europe/London jq -n \'1720000000 | strflocaltime("%H %Z")\'', '"10 BST"\n'],
    ['reads its input by name', "echo '[1]' | jq -c . /dev/stdin; echo 1 2 | jq -n -c --slurpfile x /dev/stdin '$x'", '[1]\n[1,2]\n'],
    [
      'reads its program from its input',
      "echo 1 > f; echo '. + 1' | jq -f /dev/stdin f; echo a | jq -n --rawfile t /dev/fd/0 '$t'",
      '2\n"a\\n"\n',
    ],
    ['prints errors before its buffered output', "jq -n '1, error(\"x\")' 2>&1; jq -n '1 | debug | . + 1' 2>&1", ERRORS_FIRST],
    [
      'prints errors between blocks of output',
      "jq -n 'range(5000) | (., (select(. == 4990) | stderr | empty))' 2>&1 | grep -n 4990",
      '4319:49904318\n4991:4990\n',
    ],
    ['rejects arguments that are too long', 'jq -n --arg x "$(head -c 600000 /dev/zero | tr \'\\0\' a)" 1; echo $?', '126\n'],
    ['reports a directory as input like jq', 'mkdir d; jq . d 2>&1; echo $?', 'jq: error: Is a directory\n2\n'],
  ])('%s', async (_, script, stdout) => {
    expect((await setup().shell.exec(script)).stdout).toBe(stdout)
  })

  it('takes the time from the host', async () => {
    const { shell } = setup({ workspace: { host: { ...systemHost, now: () => 1_700_000_000_000 } } })
    expect((await shell.exec('jq -n "now | todate"')).stdout).toBe('"2023-11-14T22:13:20Z"\n')
  })
})

describe('hostile jq programs', () => {
  it.each([
    ['exceeded memory', '[range(1e9)]', 134, /cannot allocate memory/],
    ['a string of 1 GB', '"x" * 1e9 | length', 134, /cannot allocate memory/],
    ['infinite recursion', 'def f: 1 + f; f', 134, /cannot allocate memory/],
    ['data nested too deeply to print', 'reduce range(100000) as $i (null; [.]) | tojson', 139, /nested too deeply/],
    ['a program nested too deeply', `${'['.repeat(3000)}1${']'.repeat(3000)}`, 139, /nested too deeply/],
  ])('end at %s', async (_, program, exitCode, stderr) => {
    const { shell } = setup({ shell: { jq: { memoryBytes: 64 * 2 ** 20 } } })
    const result = await shell.exec(`jq -n '${program}'; echo $?; jq -n 1`)
    expect(result.stdout).toBe(`${exitCode}\n1\n`)
    expect(result.stderr).toMatch(stderr)
  })

  it('end at input that is nested too deeply', async () => {
    const { stderr, exitCode } = await setup().shell.exec('printf "[%.0s" {1..20000} | jq .')
    expect({ stderr, exitCode }).toEqual({
      stderr: 'jq: parse error: Exceeds depth limit for parsing at line 1, column 10001\n',
      exitCode: 5,
    })
  })

  it('end at the output limit of the shell', async () => {
    const { shell } = setup({ shell: { limits: { outputBytes: 100_000 } } })
    expect(await shell.exec("jq -n 'range(1e9)'; echo on")).toMatchObject({ exitCode: 126 })
  })

  it.each([
    'range(1e9) | select(. % 1000 == 0)',
    'def f: f; f',
    'last(range(1e12))',
    '[range(1e9)]',
    'until(false; .)',
    '[limit(3; repeat(empty))]',
  ])('end at the deadline in this thread: %s', async (program) => {
    const result = await setup().shell.exec(`jq -n '${program}'`, { timeoutMs: 300 })
    expect(result).toMatchObject({ timedOut: true, exitCode: null })
  })

  it('end after a minute without a deadline', async () => {
    let minutes = 0
    const host = { ...systemHost, now: () => (minutes++ > 100 ? systemHost.now() + 120_000 : systemHost.now()) }
    const { stderr, exitCode } = await setup({ workspace: { host } }).shell.exec("jq -n 'def f: f; f'")
    expect({ stderr, exitCode }).toEqual({ stderr: expect.stringContaining('no end after 60 s'), exitCode: 124 })
  })

  it('end at the deadline together with their worker, and the next jq runs', async () => {
    const { shell } = setup({ shell: { worker: await shellWorkers() } })
    const result = await withGrowingTime(
      (timeoutMs) => shell.exec("echo before; jq -n 'def f: f; f'", { timeoutMs }),
      ({ stdout }) => stdout !== '',
    )
    expect(result).toMatchObject({ timedOut: true, stdout: 'before\n' })
    expect(await shell.exec('echo "[1]" | jq ".[0]"')).toMatchObject({ stdout: '1\n', exitCode: 0 })
    await shell.close?.()
  })

  it('sum up the tags of a 20 MB file', async () => {
    const row = { id: 1, name: 'some name', tags: ['a', 'b'], text: 'x'.repeat(900) }
    const { shell } = setup({ files: { 'big.json': JSON.stringify(Array.from({ length: 20_000 }, () => row)) } })
    expect(await shell.exec('jq "map(.tags | length) | add" big.json')).toMatchObject({ stdout: '40000\n', exitCode: 0 })
  })
})
