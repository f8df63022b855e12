// biome-ignore-all lint/suspicious/noTemplateCurlyInString: commands, in which these are the shell's own.
import { equal, ok, rejects, same } from '../runner.js'
import { fileIsAbsent, printed, type ShellCase, told, untilThere } from './case.js'

const MANY = 10

export const executingCases: Readonly<Record<string, ShellCase>> = {
  'exec: gives the whole shape of a result': async ({ workspace, run }) => {
    const { env, state: _kept, ...rest } = await run('echo out; echo err >&2; exit 3')
    same(rest, {
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      timedOut: false,
      aborted: false,
      truncated: false,
      cwd: workspace.cwd,
    })
    ok(
      Object.values(env).every((value) => typeof value === 'string'),
      'Expected an environment of strings',
    )
  },
  'exec: the streams are kept apart, each in its order': async ({ run }) => {
    const { stdout, stderr } = await run('for i in 1 2 3; do echo "o$i"; echo "e$i" >&2; done')
    same([stdout, stderr], ['o1\no2\no3\n', 'e1\ne2\ne3\n'])
  },
  'exec: a command of 300 KB runs': async ({ workspace, run }) => {
    const text = `${'0123456789'.repeat(10)}\n`.repeat(3000)
    printed(await run(`cat > long.txt <<'EOF'\n${text}EOF\nwc -l < long.txt`), '3000\n')
    equal((await workspace.stat('long.txt')).size, text.length)
  },
  [`exec: ${MANY} at once have their own output, variables and directory`]: async ({ workspace, run }) => {
    const all = Array.from({ length: MANY }, (_, i) => i)
    for (const i of all) await workspace.writeText(`d${i}/name`, `${i}\n`)
    const results = await Promise.all(
      all.map((i) => run(`cd d${i}; x=${i}; for n in 1 2 3; do cat name; sleep 0.02; done; echo "$x $A" >&2`, { env: { A: `a${i}` } })),
    )
    for (const [i, result] of results.entries()) {
      same([result.stdout, result.stderr], [`${i}\n`.repeat(3), `${i} a${i}\n`], `the output of command ${i}`)
      same([result.cwd, result.env.A], [workspace.resolve(`d${i}`), `a${i}`], `the state of command ${i}`)
    }
  },
  'exec: a slow one does not hold back a quick one': async ({ run }) => {
    const [slow, quick] = await Promise.all([run(`${untilThere('go')}; [ -e go ] && echo slow`), run('echo quick; > go')])
    printed(quick, 'quick\n')
    printed(slow, 'slow\n')
  },
  'exec: a reader that ends early ends an endless writer': async ({ workspace, run }) => {
    // The output is larger than a pipe's buffer. The loop is finite, so that a shell that never ends the writer fails instead of hanging.
    const line = 'line'.repeat(500)
    printed(await run(`(for i in {1..500}; do echo ${line}; done; > made) | head -n 2`), `${line}\n`.repeat(2))
    await fileIsAbsent(workspace, 'made')
  },
  'open: twice or not at all, the shell works': async ({ shell, run }) => {
    await shell.open?.()
    await shell.open?.()
    printed(await run('echo a'), 'a\n')
  },
}

export const cwdCases: Readonly<Record<string, ShellCase>> = {
  'cwd: is that of the workspace by default, as a virtual path': async ({ workspace, run }) => {
    printed(await run('pwd; ls -d src'), `${workspace.cwd}\nsrc\n`)
  },
  'cwd: can be given': async ({ workspace, run }) => {
    const cwd = workspace.resolve('src')
    const result = await run('pwd; echo "$PWD"; ls', { cwd })
    printed(result, `${cwd}\n${cwd}\nadd.ts\nmain.ts\n`)
    equal(result.cwd, cwd, "the result's cwd")
  },
  'cwd: with spaces and UTF-8': async ({ workspace, run }) => {
    await workspace.writeText("it's grün/a b/f", 'x')
    const cwd = workspace.resolve("it's grün/a b")
    const result = await run('ls; cd ..; ls', { cwd })
    printed(result, 'f\na b\n')
    equal(result.cwd, workspace.resolve("it's grün"), "the result's cwd")
  },
  'cwd: a missing one is ENOENT and nothing runs': async ({ workspace, run }) => {
    await rejects(run(`echo x > ${workspace.resolve('made')}`, { cwd: workspace.resolve('missing') }), 'ENOENT')
    await rejects(run('true', { cwd: workspace.resolve('missing/deep') }), 'ENOENT')
    await fileIsAbsent(workspace, 'made')
  },
  'cwd: a file is ENOTDIR': async ({ workspace, run }) => {
    await rejects(run('true', { cwd: workspace.resolve('fruit.txt') }), 'ENOTDIR')
  },
  'cwd: of the result follows cd': async ({ workspace, run }) => {
    equal((await run('cd src')).cwd, workspace.resolve('src'))
    equal((await run('cd src; cd ../docs')).cwd, workspace.resolve('docs'))
    equal((await run('cd src; cd ..')).cwd, workspace.cwd)
  },
  'cwd: of the result does not follow a subshell': async ({ workspace, run }) => {
    equal((await run('(cd src); cd docs | cat; x=$(cd src; pwd)')).cwd, workspace.cwd)
  },
  'cwd: of the result after cd and exit': async ({ workspace, run }) => {
    const result = await run('cd src && exit 3')
    same([result.exitCode, result.cwd], [3, workspace.resolve('src')])
  },
  'cwd: of the result after set -e ended it': async ({ workspace, run }) => {
    const result = await run('set -e; cd src; false; cd ../docs')
    same([result.exitCode, result.cwd], [1, workspace.resolve('src')])
  },
  'cwd: of the result after a syntax error is where it began': async ({ workspace, run }) => {
    const result = await run('if true; then', { cwd: workspace.resolve('src') })
    same([result.exitCode, result.cwd], [2, workspace.resolve('src')])
  },
  'cwd: of the result goes into the next command': async ({ workspace, run }) => {
    await workspace.mkdir('a b')
    const { cwd } = await run('cd "a b"')
    printed(await run('pwd', { cwd }), `${workspace.resolve('a b')}\n`)
  },
  "cwd: one of the shell's own comes back": async ({ run }) => {
    const first = await run('cd /tmp && pwd')
    equal(`${first.cwd}\n`, first.stdout, "the result's cwd")
    printed(await run('pwd', { cwd: first.cwd }), first.stdout)
  },
  'cwd: is not kept by the shell itself': async ({ workspace, run }) => {
    await run('cd src')
    printed(await run('pwd'), `${workspace.cwd}\n`)
  },
}

export const envCases: Readonly<Record<string, ShellCase>> = {
  'env: is merged over the base': async ({ run }) => {
    const base = await run('echo "${PATH:+set}"')
    const result = await run('echo "$A|$B|${PATH:+set}"', { env: { A: 'it\'s "x"', B: 'two\nlines $HOME' } })
    printed(result, 'it\'s "x"|two\nlines $HOME|set\n')
    printed(base, 'set\n')
    same([result.env.A, result.env.B], ['it\'s "x"', 'two\nlines $HOME'])
  },
  'env: replaces one of the base': async ({ run }) => {
    printed(await run('echo "$HOME"; cd; cd - > /dev/null', { env: { HOME: '/tmp' } }), '/tmp\n')
  },
  'env: of one command does not reach the next': async ({ run }) => {
    printed(await run('export B=2; c=3; f() { :; }; alias x=y; set -o noglob; echo "$A"', { env: { A: '1' } }), '1\n')
    printed(await run('echo "[$A$B$c]"; type f 2> /dev/null || echo none; echo *.txt'), '[]\nnone\nempty.txt fruit.txt\n')
  },
  'env: of the result has what is exported, and only that': async ({ run }) => {
    const { env } = await run(
      'export a=1 b; b="two\nlines = ü"; c=3; declare -x d=4; e=5 true; export f=6; unset f; export -n g; export A; (export h=8)',
      {
        env: { A: 'x', gone: 'y' },
      },
    )
    const { a, b, c, d, e, f, h, A, gone } = env
    same([a, b, c, d, e, f, h, A, gone], ['1', 'two\nlines = ü', undefined, '4', undefined, undefined, undefined, 'x', 'y'])
  },
  'env: of the result lacks what was unset': async ({ run }) => {
    const { env } = await run('unset A; B=changed; declare +x C', { env: { A: '1', B: '2', C: '3' } })
    same([env.A, env.B, env.C], [undefined, 'changed', undefined])
  },
  'env: of the result after exit': async ({ run }) => {
    const result = await run('export A=1; exit 3')
    same([result.exitCode, result.env.A], [3, '1'])
  },
  'env: of the result after set -e ended it': async ({ run }) => {
    const result = await run('set -e; export A=1; false; export A=2')
    same([result.exitCode, result.env.A], [1, '1'])
  },
  'env: of the result shows nothing of how it was found': async ({ run }) => {
    const result = await run('exec 2> /dev/null; export A=1; set -f; IFS=,; env() { :; }; declare() { :; }')
    same([result.exitCode, result.stdout, result.stderr, result.env.A], [0, '', '', '1'], `the result (${told(result)})`)
  },
  'env and cwd: of a result carry the state on': async ({ workspace, run }) => {
    const first = await run('export A="1 2" && cd src')
    const second = await run('echo "$A"; pwd; export A=3; cd ../docs; exit 1', { cwd: first.cwd, env: first.env })
    equal(second.stdout, `1 2\n${workspace.resolve('src')}\n`)
    const third = await run('echo "$A"; pwd; cd "$OLDPWD" && ls', { cwd: second.cwd, env: second.env })
    printed(third, `3\n${workspace.resolve('docs')}\nadd.ts\nmain.ts\n`)
  },
  'env and cwd: carry nothing but exported variables': async ({ run }) => {
    const { cwd, env } = await run('x=1; a=(1 2); f() { :; }; set -e; shopt -s nullglob')
    printed(await run('echo "[$x${a[1]}]"; type f > /dev/null 2>&1 || echo none; false; echo *.none', { cwd, env }), '[]\nnone\n*.none\n')
  },
}
