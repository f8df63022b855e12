// biome-ignore-all lint/suspicious/noTemplateCurlyInString: commands, in which these are the shell's own.
import type { ShellExecOptions, ShellResult } from '../../../src/types/shell.js'
import { equal, ok, same } from '../runner.js'
import { printed, stopped } from '../shell/case.js'
import { endedWith, type SessionCase, type SessionCaseGroup } from './case.js'

/** Every runtime has this function; the product does not use it. */
declare function structuredClone<T>(value: T): T

/** The options with which the next command continues where this one ended. */
function carried({ cwd, env, state }: ShellResult): ShellExecOptions {
  ok(state !== undefined, 'Expected a state')
  return { cwd, env, state }
}

/** A part of the state. `before` sets it and `show` prints it. `told` is the output of `show` with the state, `otherwise` without it. */
interface Kept {
  readonly before: string
  readonly show: string
  readonly told: string
  readonly otherwise: string
}

const KEPT: Readonly<Record<string, Kept>> = {
  'a directory': { before: 'cd src', show: 'basename "$PWD"; ls -d ../src', told: 'src\n../src\n', otherwise: '' },
  'an exported variable': {
    before: 'export A="1 2"',
    show: 'echo "[$A]"; bash -c \'echo "[$A]"\'',
    told: '[1 2]\n[1 2]\n',
    otherwise: '[]\n[]\n',
  },
  'a plain variable': {
    before: 'x="it\'s \\"two\\"\nlines = ü \\$HOME"',
    show: 'echo "[$x]"; bash -c \'echo "[$x]"\'',
    told: '[it\'s "two"\nlines = ü $HOME]\n[]\n',
    otherwise: '[]\n[]\n',
  },
  'an empty variable': { before: 'x=', show: 'echo "${x+set}"', told: 'set\n', otherwise: '\n' },
  'a function': {
    before: 'greet() { local who="$1"; echo "hello $who"; if [ "$who" = you ]; then return 3; fi; }',
    show: 'greet you 2> /dev/null; echo $?',
    told: 'hello you\n3\n',
    otherwise: '127\n',
  },
  'an array': {
    before: 'a=(one "two words" "" "th\'ree")',
    show: 'echo "${#a[@]}:${a[1]}:${a[3]}"',
    told: "4:two words:th'ree\n",
    otherwise: '0::\n',
  },
  'an associative array': {
    before: 'declare -A m; m[k]=v; m["two words"]="x y"',
    show: 'echo "${#m[@]}"; echo "${m[two words]-none}" 2> /dev/null',
    told: '2\nx y\n',
    otherwise: '',
  },
  'set -o pipefail': { before: 'set -o pipefail', show: 'false | true; echo $?', told: '1\n', otherwise: '0\n' },
  'set -u': { before: 'set -u', show: '(echo "[$unset_here]") 2> /dev/null || echo refused', told: 'refused\n', otherwise: '[]\n' },
  'shopt -s nullglob': { before: 'shopt -s nullglob', show: 'echo x *.none', told: 'x\n', otherwise: 'x *.none\n' },
  'an alias': {
    before: "shopt -s expand_aliases; alias hi='echo hi there'",
    show: 'hi you 2> /dev/null',
    told: 'hi there you\n',
    otherwise: '',
  },
}

const keptCases: Readonly<Record<string, SessionCase>> = Object.fromEntries(
  Object.entries(KEPT).map(([what, { before, show, told, otherwise }]): [string, SessionCase] => [
    `state: ${what} goes into the next command, and only if it is handed back`,
    async ({ run }) => {
      const first = await run(before)
      printed(first, '')
      const second = await run(show, carried(first))
      equal(second.stdout, told, 'what is shown')
      // Shows the state a third time, because state that a command only passes on must be kept too.
      equal((await run(show, carried(second))).stdout, told, 'what is shown by a third command')
      if (otherwise !== '') equal((await run(show)).stdout, otherwise, 'what is shown without')
    },
  ]),
)

const stateCases: Readonly<Record<string, SessionCase>> = {
  ...keptCases,
  'state: what was unset is gone': async ({ run }) => {
    const first = await run('x=1; export A=1; a=(1 2); f() { :; }')
    const second = await run('unset x A a; unset -f f', carried(first))
    printed(await run('echo "[$x$A${a[1]}]"; type f > /dev/null 2>&1 || echo none', carried(second)), '[]\nnone\n')
  },
  'state: what was changed is changed': async ({ run }) => {
    const first = await run('x=1; a=(1 2); f() { echo old; }; set -o noglob')
    const second = await run('x=2; a+=(3); f() { echo new; }; set +o noglob', carried(first))
    printed(await run('echo "$x ${a[*]}"; f; echo fruit*', carried(second)), '2 1 2 3\nnew\nfruit.txt\n')
  },
  'state: what a subshell changes is not kept': async ({ run }) => {
    const first = await run('x=1; (x=2; y=2; f() { :; }; cd src); echo z | { read w; x=3; }; v=$(x=4; echo 5)')
    printed(await run('echo "$x[$y$w]$v"; type f > /dev/null 2>&1 || echo none', carried(first)), '1[]5\nnone\n')
  },
  'state: is known after exit': async ({ run }) => {
    const first = await run('x=1; f() { echo "f $x"; }; exit 3')
    equal(first.exitCode, 3)
    printed(await run('f', carried(first)), 'f 1\n')
  },
  'state: is known after set -e ended the command': async ({ run }) => {
    const first = await run('set -e; x=1; f() { echo "f $x"; }; false; x=2')
    equal(first.exitCode, 1)
    equal((await run('f', carried(first))).stdout, 'f 1\n')
  },
  'state: is known after a failure and after a syntax error': async ({ run }) => {
    const first = await run('x=1; no_such_command_here')
    equal(first.exitCode, 127)
    const second = await run('if true; then', carried(first))
    equal(second.exitCode, 2)
    if (second.state !== undefined) printed(await run('echo "$x"', carried(second)), '1\n')
  },
  'state: is not known after a timeout, and that before is good still': async ({ run }) => {
    const first = await run('x=1')
    const second = await run('x=2; sleep 1000', { ...carried(first), timeoutMs: 500 })
    stopped(second, 'timedOut')
    equal(second.state, undefined, 'the state')
    printed(await run('echo "$x"', carried(first)), '1\n')
  },
  'state: readonly variables do not break the next command': async ({ run }) => {
    const first = await run('readonly R=1; declare -r S=2; x=3')
    printed(first, '')
    const second = await run('echo "$R$S$x"; x=4', carried(first))
    printed(second, '123\n')
    printed(await run('echo "$R$S$x"', carried(second)), '124\n')
  },
  'state: odd settings do not break the next command': async ({ run }) => {
    const first = await run('IFS=,; set -f; set -u; x="a b"; env() { :; }; declare() { :; }; export() { :; }; printf() { :; }; cd() { :; }')
    printed(first, '')
    const second = await run('echo "$IFS$x"', carried(first))
    printed(second, ',a b\n')
    printed(await run('for i in a,b; do echo "$i"; done; y=c,d; echo $y', carried(second)), 'a,b\nc d\n')
  },
  'state: exec of a descriptor does not break the next command': async ({ run }) => {
    const first = await run('exec 2> /dev/null; x=1')
    printed(await run('echo "$x"', carried(first)), '1\n')
  },
  'state: 100 variables, a long one and a long function': async ({ run }) => {
    const lines = Array.from({ length: 100 }, (_, i) => `v${i}='value ${i}'`)
    const body = Array.from({ length: 300 }, (_, i) => `  echo line ${i} > /dev/null`).join('\n')
    const first = await run(`${lines.join('\n')}\nlong=${'0123456789'.repeat(10_000)}\nf() {\n${body}\n  echo end\n}`)
    printed(await run('echo "$v0 $v99 ${#long}"; f', carried(first)), 'value 0 value 99 100000\nend\n')
  },
  'state: a function with a here-document and quotes is the same again': async ({ run }) => {
    const first = await run(`f() {\n  cat <<EOF\n$1 "quoted" 'and' \\$more\nEOF\n  case "$1" in a*) echo a ;; *) echo other ;; esac\n}`)
    printed(await run('f abc', carried(first)), 'abc "quoted" \'and\' $more\na\n')
  },
  'state: env goes over it': async ({ run }) => {
    const first = await run('export A=1; b=1')
    printed(await run('echo "$A$b"', { ...carried(first), env: { A: '2', b: '3' } }), '23\n')
  },
  'state: is plain data': async ({ run }) => {
    const first = await run('x=1; a=(1 2); declare -A m=([k]=v); f() { echo "$x${a[1]}${m[k]}"; }; set -o pipefail')
    const copy = structuredClone(first.state)
    printed(await run('x=9', { state: first.state }), '')
    printed(await run('f', { ...carried(first), state: copy }), '12v\n')
  },
  'state: two commands that begin with the same do not disturb each other': async ({ run }) => {
    const first = await run('x=0; a=(0)')
    const [one, two] = await Promise.all(['1', '2'].map((n) => run(`x=${n}; a+=(${n}); sleep 0.05; echo "$x \${a[*]}"`, carried(first))))
    same([one?.stdout, two?.stdout], ['1 0 1\n', '2 0 2\n'])
    printed(await run('echo "$x ${a[*]}"', carried(first)), '0 0\n')
  },
  'state: a session begins with it, too': async ({ workspace, run, start }) => {
    const first = await run('cd src; x=1; a=(1 2); f() { echo "f $x ${a[1]}"; }; export E=2')
    const running = await start('f; echo "$E"; pwd; x=9', carried(first))
    await endedWith(running, 0, `f 1 2\n2\n${workspace.resolve('src')}\n`)
    printed(await run('f', carried(first)), 'f 1 2\n')
  },
}

export const stateGroups: readonly SessionCaseGroup[] = [{ needs: ['state'], cases: stateCases }]
