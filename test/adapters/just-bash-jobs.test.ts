// @module-tag virtual-shell
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import type { ShellResult } from 'toolport'
import { describe, expect, it } from 'vitest'
import { withGrowingTime } from '../contract/shell/case.js'
import { setup } from './just-bash-support.js'

const FILES = { 'a.txt': 'one\ntwo\n' }

async function run(script: string, files: Record<string, string> = FILES): Promise<ShellResult> {
  return setup({ files }).shell.exec(script, { timeoutMs: 60_000 })
}

describe('a background job', () => {
  const cases: [script: string, stdout: string][] = [
    ['(sleep 0.05; echo late) & echo first; wait; echo last', 'first\nlate\nlast\n'],
    ['{ sleep 0.05; echo late; } & echo first; wait', 'first\nlate\n'],
    ['sleep 0.05 && echo late & echo first; wait', 'first\nlate\n'],
    ['sleep 0.05 | cat a.txt & echo first; wait', 'first\none\ntwo\n'],
    ['f() { sleep 0.05; echo "f $1"; }; f x & echo first; wait', 'first\nf x\n'],
    ['if true; then (sleep 0.05; echo in) & fi; echo first; wait', 'first\nin\n'],
    ['for i in 3 2 1; do (sleep 0.${i}5; echo $i) & done; wait; echo all', '1\n2\n3\nall\n'],
    ['while :; do (sleep 0.05; echo late) & break; done; echo first; wait', 'first\nlate\n'],
    ['start() { (sleep 0.05; echo started) & }; start; echo first; wait', 'first\nstarted\n'],
    ["bash -c '(sleep 0.05; echo b) & echo a; wait'", 'a\nb\n'],
    ['x=$(bash -c \'(sleep 0.05; echo late) & echo now\'); echo "[$x]"', '[now\nlate]\n'],
    [
      "bash -c '(until [ -e go ]; do sleep 0.01; done; echo late; touch over) & echo now'; echo first; touch go; until [ -e over ]; do sleep 0.01; done",
      'now\nfirst\nlate\n',
    ],
    ['eval "(sleep 0.05; echo b) & echo a; wait"', 'a\nb\n'],
    ['echo "(sleep 0.05; echo b) & echo a; wait" > s.sh; . ./s.sh; bash s.sh', 'a\nb\na\nb\n'],
    ['x=$( (sleep 0.05; echo late) & echo now); echo "[$x]"', '[now\nlate]\n'],
    ['{ (sleep 0.05; echo late) & echo now; } | tr a-z A-Z', 'NOW\nLATE\n'],
    ['{ (sleep 0.05; echo late) & echo now; wait; } > log; cat log', 'now\nlate\n'],
    ['start() { (sleep 0.05; echo late) & }; start > log; echo first; wait; cat log', 'first\nlate\n'],
    ['pid=$(sleep 100 > /dev/null & echo $!); [ "$pid" -gt 0 ] && echo started', 'started\n'],
    ['{ (sleep 0.05; echo grandchild; touch over) & } & wait; until [ -e over ]; do sleep 0.01; done; echo end', 'grandchild\nend\n'],
    ['false || echo or & wait; echo x | cat & wait', 'or\nx\n'],
    ['seq 2 | while read n; do echo $n & done; wait', '1\n2\n'],
    ['cat & wait; read x & wait; echo end', 'end\n'],
  ]
  it.each(cases)('runs beside the script: %s', async (script, stdout) => {
    expect(await run(script)).toMatchObject({ exitCode: 0, stdout, stderr: '' })
  })

  it('gets a copy of the shell: variables, arrays, functions, options, directory, parameters', async () => {
    const script = `mkdir d; set -- p1 p2; v=1; a=(x y); declare -A m=([k]=v); f() { echo "f $v"; }; set -u
      { cd d; echo "$v \${a[1]} \${m[k]} $1 $2"; f; v=2; a=(z); f() { :; }; set +u; sleep 0.02; echo "$v $PWD"; } &
      v=3; a=(w); wait; echo "$v \${a[0]} $PWD"; f; (echo $unset) 2> /dev/null || echo set`
    expect((await run(script)).stdout).toBe('1 y v p1 p2\nf 1\n2 /workspace/d\n3 w /workspace\nf 3\nset\n')
  })

  it('streams its output while the script waits', async () => {
    const { shell } = setup()
    const pieces: string[] = []
    const job = '(echo a; touch began; until [ -e go ]; do sleep 0.01; done; echo b) &'
    const script = `${job} until [ -e began ]; do sleep 0.01; done; echo c; touch go; wait`
    await shell.exec(script, { onOutput: ({ text }) => pieces.push(text) })
    expect(pieces).toEqual(['a\n', 'c\n', 'b\n'])
  })

  it('writes to a file before the job ends', async () => {
    const { stdout } = await run(
      '(echo a; echo b; sleep 100) > log & until grep -q b log; do sleep 0.01; done 2> /dev/null; cat log; kill $!',
    )
    expect(stdout).toBe('a\nb\n')
  })

  it('is killed at the end of the command and does not delay it', async () => {
    const { shell, workspace } = setup()
    const job = '(until [ -e go ]; do sleep 0.01; done; echo x > made) &'
    expect(await shell.exec(`${job} sleep 1000 & echo end`)).toMatchObject({ exitCode: 0, stdout: 'end\n' })
    await workspace.writeText('go', '')
    await workspace.host.sleep(50)
    expect(await workspace.exists('made')).toBe(false)
  })

  it.each(['abort', 'timeout'])('is killed with the command at its %s', async (how) => {
    const { shell, workspace } = setup()
    await shell.open?.()
    const script = '(until [ -e go ]; do sleep 0.01; done; echo x > made) & while :; do :; done & echo before; wait'
    const result = await withGrowingTime(
      (timeoutMs) => {
        const stop = new AbortController()
        const options = how === 'abort' ? { signal: stop.signal, onOutput: () => stop.abort() } : { timeoutMs }
        return shell.exec(script, options)
      },
      ({ stdout }) => stdout !== '',
    )
    expect(result).toMatchObject({ exitCode: null, stdout: 'before\n', stderr: '' })
    await workspace.writeText('go', '')
    await workspace.host.sleep(50)
    expect(await workspace.exists('made')).toBe(false)
  })
})

describe('wait', () => {
  const cases: [script: string, stdout: string][] = [
    ['(exit 3) & wait $!; echo $?', '3\n'],
    ['(exit 3) & p=$!; wait; wait $p; echo $?', '3\n'],
    ['(exit 3) & wait %1; echo $?; false & wait %%; echo $?', '3\n1\n'],
    ['(exit 1) & a=$!; (exit 2) & b=$!; wait $a $b; echo $?; wait; echo $?', '2\n0\n'],
    ['wait 99 2> /dev/null; echo $?; wait %9 2> /dev/null; echo $?; wait; echo $?; wait -n; echo $?', '127\n127\n0\n127\n'],
    ['(sleep 5; exit 1) & (sleep 0.02; exit 4) & wait -n; echo $?; kill %1', '4\n'],
    ['(exit 6) & wait -n -p who; echo $? $([ $who = $! ] && echo same)', '6 same\n'],
    ['sleep 100 & kill $!; wait $!; echo $?; sleep 100 & kill -9 $!; wait $!; echo $?', '143\n137\n'],
    ['while :; do :; done & sleep 0.02; kill -INT %1; wait %1; echo $?', '130\n'],
    ['sleep 100 & (wait; echo not mine); kill $!', 'not mine\n'],
    ['false & wait $!; echo $?; true & wait $! && echo ok', '1\nok\n'],
    // bash 5.2 ignores the `!` of a job that is one pipeline.
    ['! true & wait $!; echo $?; ! false & wait $!; echo $?; ! (exit 5) & wait $!; echo $?', '0\n1\n5\n'],
    ['! false | true & wait $!; echo $?; ! { false; } & wait $!; echo $?', '0\n1\n'],
    ['! true && echo no & wait $!; echo $?; false || ! true & wait $!; echo $?', '1\n1\n'],
    ['exec 2> /dev/null; wait abc; echo $?; wait ""; echo $?; wait abc 9; echo $?; wait 9 abc; echo $?', '1\n1\n127\n1\n'],
    ['exec 2> /dev/null; (exit 7) & p=$!; wait $p x; echo $?; (exit 7) & wait x $!; echo $?', '1\n7\n'],
    ['(exit 7) & p=$!; (exit 6) & q=$!; wait $q $p; echo $?', '7\n'],
    [
      'exec 2>&1; true & p=1; wait -n abc; echo $?; false & wait; wait -n $p; echo $?',
      'bash: wait: abc: no such job\n127\nbash: wait: 1: no such job\n127\n',
    ],
  ]
  it.each(cases)('%s', async (script, stdout) => {
    expect((await run(script)).stdout).toBe(stdout)
  })

  it('reports what it cannot wait for', async () => {
    const { stderr } = await run('wait 99; wait %9; wait x; wait -q')
    expect(stderr).toMatch(
      /pid 99 is not a child of this shell\n.*%9: no such job\n.*`x': not a pid or valid job spec\n.*-q: invalid option/,
    )
  })
})

describe('jobs, kill, fg, bg, disown', () => {
  const cases: [script: string, stdout: string][] = [
    ['sleep 100 & sleep 200 & jobs; kill %1 %2', '[1]-  Running                 sleep 100 &\n[2]+  Running                 sleep 200 &\n'],
    ['false & wait -n; true & while kill -0 $! 2> /dev/null; do sleep 0.01; done; jobs; jobs', '[1]+  Done                    true\n'],
    ['sleep 100 & kill $!; while kill -0 $! 2> /dev/null; do sleep 0.01; done; jobs', '[1]+  Terminated              sleep 100\n'],
    ['(exit 3) & while kill -0 $! 2> /dev/null; do sleep 0.01; done; jobs -r; jobs', '[1]+  Exit 3                  (exit 3)\n'],
    ['sleep 100 & [ "$(echo $!)" = "$!" ]; jobs -p | wc -l; jobs -p > p; [ $(cat p) = $! ] && echo same; kill $!', '1\nsame\n'],
    ['[ -z "$!" ] && echo none; sleep 0 & [ -n "$!" ] && echo some', 'none\nsome\n'],
    ['kill -0 $$ && echo alive; sleep 0.01 & p=$!; wait; kill -0 $p 2> /dev/null || echo gone', 'alive\ngone\n'],
    [
      'kill -l 9; kill -l KILL; kill -l 143; kill -l | head -1',
      'KILL\n9\nTERM\n 1) SIGHUP\t 2) SIGINT\t 3) SIGQUIT\t 4) SIGILL\t 5) SIGTRAP\n',
    ],
    ['sleep 100 & disown; jobs; echo ok', 'ok\n'],
    ['(echo in) & fg; echo out', 'in\n(echo in)\nout\n'],
    ['sleep 100 & sleep 100 & kill $(jobs -p) 2> /dev/null; kill %1 %2; wait; echo all', 'all\n'],
    ['wait() { echo mine; }; wait; command wait; jobs() { echo j; }; jobs', 'mine\nj\n'],
    [
      'type kill trap wait jobs | head -4; command -v kill',
      'kill is a shell builtin\ntrap is a shell builtin\nwait is a shell builtin\njobs is a shell builtin\nkill\n',
    ],
  ]
  it.each(cases)('%s', async (script, stdout) => {
    expect((await run(script)).stdout).toBe(stdout)
  })

  it.each([
    ['kill', /usage/],
    ['kill -FOO 1', /FOO: invalid signal specification/],
    ['kill 4711', /\(4711\) - No such process/],
    ['kill %3', /%3: no such job/],
    ['kill x', /x: arguments must be process or job IDs/],
    ['sleep 1 & kill -STOP $!', /cannot be stopped/],
    ['fg', /no such job/],
    ['bg %2', /no such job/],
    ['disown', /no such job/],
    ['jobs -x', /invalid option/],
  ])('%s is an error', async (script, message) => {
    const { stderr, exitCode } = await run(script)
    expect(stderr).toMatch(message)
    expect(exitCode).toBeGreaterThan(0)
  })

  it('kill of the script itself ends the script like a signal', async () => {
    expect(await run('echo a; kill $$; echo b')).toMatchObject({ exitCode: 143, stdout: 'a\n', timedOut: false, aborted: false })
    expect(await run('sleep 100 & kill 0; echo b')).toMatchObject({ exitCode: 143, stdout: '' })
  })
})

describe('trap', () => {
  const cases: [script: string, exitCode: number, stdout: string][] = [
    ["trap 'echo bye $?' EXIT; false", 1, 'bye 1\n'],
    ["trap 'echo bye $?' EXIT; exit 3", 3, 'bye 3\n'],
    ["trap 'exit 7' EXIT; exit 3", 7, ''],
    ["set -e; trap 'echo clean $?' EXIT; false; echo never", 1, 'clean 1\n'],
    ["trap 'echo bye' EXIT; trap - EXIT", 0, ''],
    ["f() { trap 'echo bye' EXIT; }; f; echo body", 0, 'body\nbye\n'],
    ["(trap 'echo sub $?' EXIT; exit 4); echo $?", 0, 'sub 4\n4\n'],
    ["trap 'echo outer' EXIT; (echo in); x=$(echo y); echo $x", 0, 'in\ny\nouter\n'],
    ['x=$(trap \'echo late\' EXIT; echo first); echo "[$x]"', 0, '[first\nlate]\n'],
    ['bash -c \'trap "echo inner" EXIT; exit 2\'; echo $?', 0, 'inner\n2\n'],
    ["(trap 'echo job' EXIT; exit 5) & wait $!; echo $?", 0, 'job\n5\n'],
    ["trap 'echo err $?' ERR; false; true; false || true; if false; then :; fi; ! true; (exit 4)", 4, 'err 1\nerr 4\n'],
    ["trap 'echo err' ERR; for i in 1; do false; done", 1, 'err\n'],
    ["trap 'echo got' USR1; kill -USR1 $$; echo next", 0, 'got\nnext\n'],
    ["trap '' TERM; kill $$; echo on", 0, 'on\n'],
    ["trap 'echo t; exit 9' TERM; kill $$; echo never", 9, 't\n'],
    ["trap 'echo clean' EXIT; kill -TERM $$; echo never", 143, 'clean\n'],
    [
      "trap 'echo a' INT; trap 'echo \"b c\"' EXIT TERM; trap -p INT; trap -p | wc -l; trap - TERM EXIT; trap",
      0,
      "trap -- 'echo a' SIGINT\n3\ntrap -- 'echo a' SIGINT\n",
    ],
  ]
  it.each(cases)('%s', async (script, exitCode, stdout) => {
    expect(await run(script)).toMatchObject({ exitCode, stdout, stderr: '' })
  })

  it('rejects an unknown signal', async () => {
    expect(await run('trap "echo x" NONSENSE')).toMatchObject({
      exitCode: 1,
      stderr: 'bash: trap: NONSENSE: invalid signal specification\n',
    })
  })
})

describe('background jobs above the limit', () => {
  it.each([':(){ :|:& };:; sleep 30', ':(){ : & : & }; :; wait; sleep 30', 'for i in $(seq 300); do sleep 1000 & done; wait'])(
    'end the command: %s',
    async (script) => {
      const { shell } = setup()
      const { exitCode, stdout, stderr } = await shell.exec(`echo before; ${script}`)
      expect({ exitCode, stdout }).toEqual({ exitCode: 126, stdout: 'before\n' })
      expect(stderr).toBe('bash: fork: more than 256 background jobs at once: the command was ended. Start fewer, and wait for them.\n')
      expect((await shell.exec('echo works')).stdout).toBe('works\n')
    },
  )

  it('count towards the limit on commands', async () => {
    const { shell } = setup({ shell: { limits: { commands: 500 } } })
    const result = await shell.exec('for i in 1 2 3; do while :; do :; done & done; wait; echo end')
    expect(result.stdout).toBe('')
    expect(result.stderr).toMatch(/too many commands executed/)
  })

  it('can run one after the other in any number', async () => {
    expect((await run('for i in $(seq 400); do true & [ $((i % 100)) = 0 ] && wait; done; wait; jobs; echo end')).stdout).toBe('end\n')
  })
})
