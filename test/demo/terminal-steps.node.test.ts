// @module-tag playground
import { describe, expect, test } from 'vitest'
import { stepsOf } from '../../demo/src/terminal/steps.js'

/** The steps of a command line. A step that is a job has `& ` before it. */
const drawn = (source: string): string[] => stepsOf(source).map(({ command, isJob }) => (isJob ? `& ${command}` : command))

describe('a line whose last command runs in the background', () => {
  test.each<readonly [source: string, ...steps: string[]]>([
    ['sleep 1 &', '& sleep 1'],
    ['sleep 1&', '& sleep 1'],
    ['sleep 1 & # a while', '& sleep 1'],
    ['sleep 1 &\n\n# done\n', '& sleep 1'],
    ['echo FG; sleep 1 && echo later &', 'echo FG', '& sleep 1 && echo later'],
    ['cd src; sleep 1 &', 'cd src', '& sleep 1'],
    ['cd src && sleep 1 || echo no | cat &', '& cd src && sleep 1 || echo no | cat'],
    ['cd src # there\nls\nsleep 1 &', 'cd src\nls', '& sleep 1'],
    ['true &&\n\n# and\nsleep 1 &', '& true &&\n\n# and\nsleep 1'],
    ['sleep \\\n1 &', '& sleep \\\n1'],
    ['sleep 1 & sleep 2 &', '& sleep 1', '& sleep 2'],
    ['sleep 1 & echo a; sleep 2 &', 'sleep 1 &\necho a', '& sleep 2'],
    ['(cd src; ls) &', '& (cd src; ls)'],
    ['{ cd src; ls; } > out 2>&1 &', '& { cd src; ls; } > out 2>&1'],
    ['a=1; while :; do sleep 1; done &', 'a=1', '& while :; do sleep 1; done'],
    ['case $x in a) b;; *) c; esac &', '& case $x in a) b;; *) c; esac'],
    ['f() { sleep 1; }; f &', 'f() { sleep 1; }', '& f'],
    ['echo "a; b" \'c; d\' e\\; f &', '& echo "a; b" \'c; d\' e\\; f'],
    ['echo "it\'s # $(ls; ls)" `ls; ls`; x &', 'echo "it\'s # $(ls; ls)" `ls; ls`', '& x'],
    ['echo a# &', '& echo a#'],
    ['echo a#b; c &', 'echo a#b', '& c'],
    ['echo \\> &', '& echo \\>'],
    ['echo \\>& ', '& echo \\>'],
    ['ls |& cat &', '& ls |& cat'],
    ['ls &> out; ls >& out &', 'ls &> out', '& ls >& out'],
    ['cat <<EOF &\na; b &\nEOF', '& cat <<EOF\na; b &\nEOF'],
    ['cat <<A; cat <<B &\na\nA\nb\nB\n', 'cat <<A\na\nA\n', '& cat <<B\nb\nB\n'],
    ['cat <<A & ls; x &\na\nA', 'cat <<A &\na\nA\nls', '& x'],
    ['while read a; do b; done <<EOF &\na\nEOF\n', '& while read a; do b; done <<EOF\na\nEOF\n'],
    ['cat <<A && b &\na\nA\n', '& cat <<A && b\na\nA\n'],
    ['cat <<A &&\na\nA\nb &', '& cat <<A &&\na\nA\nb'],
  ])('%j', (source, ...steps) => {
    expect(drawn(source)).toEqual(steps)
  })
})

describe('a line that runs unchanged', () => {
  test.each([
    '',
    'ls; ls',
    'echo hi # R&',
    'echo R\\&',
    "echo 'R&'",
    'echo "R &"',
    'echo $((1 &',
    'sleep 1 & echo b',
    'true && true',
    'ls 2>&1',
    'cat <<EOF\nb &\nEOF',
    '(sleep 1 &)',
    'for a in b; do c & done',
    'sleep 1 & (',
  ])('%j', (source) => {
    expect(drawn(source)).toEqual([source])
  })
})
