// @module-tag playground
import { describe, expect, test } from 'vitest'
import { createCommandOutput } from '../../demo/src/terminal/command-output.js'
import { createHistory } from '../../demo/src/terminal/history.js'
import { parseKeys } from '../../demo/src/terminal/keys.js'
import { edit, insert, type Line, moveRow } from '../../demo/src/terminal/line.js'
import { windowOf } from '../../demo/src/terminal/line-window.js'
import { isUnfinished } from '../../demo/src/terminal/unfinished.js'

describe('unfinished input for which a shell would read on', () => {
  test.each([
    `echo 'open`,
    `echo "open`,
    'echo "a $(date',
    'echo "it\'s',
    'echo a \\',
    'ls |',
    'true &&',
    'true ||\n',
    'cat <<EOF\none\n',
    'cat <<EOF',
    "cat <<'END' > a.txt\nEND is near",
    'for i in 1 2 3; do',
    'while read -r line; do\n  echo "$line"',
    'if true; then echo yes',
    'case $x in\n  a) echo;;',
    'f() {',
    'echo $((1 + (2',
    'echo $' + '{name',
    '(cd src',
    'echo `date',
  ])('%j', (source) => {
    expect(isUnfinished(source)).toBe(true)
  })
})

describe('complete input that a shell would run', () => {
  test.each([
    '',
    'ls -la',
    `echo 'a' "b" c\\ d`,
    `echo "it's" # it's`,
    'echo a#b "#c" $#',
    'cat <<EOF\none\nEOF',
    'cat <<-EOF > a.txt\n\tone\n\tEOF\necho done',
    'cat <<A <<B\na\nA\nb\nB',
    'cat <<< "text"',
    'for i in 1 2 3; do echo $i; done',
    'for ((i = 0; i < 3; i++)); do echo $i; done',
    'while :; do break; done | cat',
    'if [ -f a ]; then echo if; elif true; then :; else echo fi; fi',
    'case $x in a|b) echo; ;; *) ;; esac',
    'f() { echo {a,b}',
    'echo "$(echo ")")" `date` $(( 1 << 2 ))',
    'echo $' + '{name:-"}"}',
    'find . -exec rm {} \\;',
    'echo done fi esac',
    'echo )',
  ])('%j', (source) => {
    expect(isUnfinished(source)).toBe(false)
  })
})

describe('terminal keys', () => {
  test('are parsed one by one, also from one piece', () => {
    expect(parseKeys('ab\u001b[D\u0003\r')).toEqual([{ text: 'ab' }, { name: 'left' }, { name: 'interrupt' }, { name: 'enter' }])
    expect(parseKeys('\t\u0012\u001b')).toEqual([{ name: 'complete' }, { name: 'search' }, { name: 'escape' }])
    expect(parseKeys('\u001bOA\u001b[A')).toEqual([{ name: 'up' }, { name: 'up' }])
  })

  test('keys without a meaning are ignored', () => {
    expect(parseKeys('\u001b[15~\u001bOP\u001b[1;2D\u001bx\u001b[?1;2c\u0000')).toEqual([])
  })

  test('keys of a paste insert text and run nothing', () => {
    expect(parseKeys('\u001b[200~one\r\ttwo\r\n\u0003three\u001b[201~x')).toEqual([{ text: 'one\n\ttwo\nthree' }, { text: 'x' }])
  })
})

describe('the input line', () => {
  /** `|` is the cursor. */
  const line = (drawn: string): Line => ({ text: drawn.replace('|', ''), cursor: drawn.indexOf('|') })
  const drawn = ({ text, cursor }: Line): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`

  test.each([
    ['left', 'a👩‍👩‍👧|b', 'a|👩‍👩‍👧b'],
    ['right', '|é́b', 'é́|b'],
    ['backspace', '日本|語', '日|語'],
    ['backspace', '|a', '|a'],
    ['delete', 'a|日b', 'a|b'],
    ['delete', 'a|', 'a|'],
    ['home', 'one\ntw|o', 'one\n|two'],
    ['home', '|one', '|one'],
    ['end', 'o|ne\ntwo', 'one|\ntwo'],
    ['word-left', 'cat src/ops/li|nes.ts', 'cat src/ops/|lines.ts'],
    ['word-right', 'cat| src/ops', 'cat src|/ops'],
    ['delete-word', 'cat src/ops/ |x', 'cat src/|x'],
    ['delete-to-start', 'one\ntwo |x', 'one\n|x'],
    ['delete-to-end', 'on|e\ntwo', 'on|\ntwo'],
    ['newline', 'a|b', 'a\n|b'],
  ] as const)('%s: %j', (key, before, after) => {
    expect(drawn(edit(line(before), key))).toBe(after)
  })

  test('inserts text at the cursor', () => {
    expect(drawn(insert(line('a|d'), 'bc'))).toBe('abc|d')
  })

  test('moves up and down within its rows', () => {
    const rows = line('long row\nab\nlast|')
    const up = moveRow(rows, -1)
    expect(up && drawn(up)).toBe('long row\nab|\nlast')
    const twice = up && moveRow(up, -1)
    expect(twice && drawn(twice)).toBe('lo|ng row\nab\nlast')
    expect(twice && moveRow(twice, -1)).toBeUndefined()
    expect(moveRow(rows, 1)).toBeUndefined()
    expect(drawn(moveRow(line('a|\n'), 1) ?? rows)).toBe('a\n|')
  })

  test('an input line with more rows than the screen is drawn around the cursor', () => {
    const text = Array.from({ length: 30 }, (_, index) => `row ${index}`).join('\n')
    const window = windowOf({ text, cursor: text.indexOf('row 15') + 2 }, 10, 80)
    expect(window.text.split('\n')).toHaveLength(7)
    expect(window.text.slice(window.cursor - 2)).toMatch(/^row 15/)
    expect(window.above + window.below).toBe(23)
    expect(windowOf({ text: 'a\nb', cursor: 3 }, 10, 80)).toEqual({ text: 'a\nb', cursor: 3, above: 0, below: 0 })
  })
})

test('the history keeps the text being typed', () => {
  const history = createHistory()
  expect(history.move(-1, 'draft')).toBeUndefined()
  for (const text of ['one', 'two', 'two']) history.add(text)
  expect(history.move(-1, 'draft')).toBe('two')
  expect(history.move(-1, 'two, changed')).toBe('one')
  expect(history.move(-1, 'one')).toBeUndefined()
  expect(history.move(1, 'one')).toBe('two')
  expect(history.move(1, 'two')).toBe('draft')
  expect(history.move(1, 'draft')).toBeUndefined()
})

describe('the output of a terminal command', () => {
  const result = (output: object) => ({ ok: true, output: { exit_code: 0, stdout: '', stderr: '', ...output } }) as const
  const printed = (...steps: readonly object[]): string => {
    let text = ''
    const output = createCommandOutput((more) => {
      text += more
    })
    for (const update of steps.slice(0, -1)) output.onProgress(update)
    output.onResult(result(steps.at(-1) ?? {}))
    return text
  }

  test('is printed once in its order', () => {
    const steps = [
      { stream: 'stdout', text: 'a\n' },
      { stream: 'stderr', text: 'b\n' },
      { stream: 'stdout', text: 'c\n' },
    ]
    const done = { stdout: 'a\nc\n', stderr: 'b\n' }
    expect(printed(...steps, done)).toBe('a\n\u001b[31mb\n\u001b[39mc\n')
    expect(printed(...steps.slice(0, 1), done)).toBe('a\nc\n\u001b[31mb\n\u001b[39m')
    expect(printed(done)).toBe('a\nc\n\u001b[31mb\n\u001b[39m')
  })

  test('ends with the exit code or timeout only if unusual', () => {
    expect(printed({ exit_code: 2, stdout: 'x' })).toBe('x\n\u001b[90mexit 2\u001b[39m\n')
    expect(printed({ exit_code: null, timed_out: true })).toBe('\u001b[90mtimed out\u001b[39m\n')
    expect(printed({ exit_code: null, aborted: true, stdout: 'late' })).toBe('')
  })

  test('mentions once that there is more than is streamed', () => {
    const cut = printed({ stream: 'stdout', text: 'abc' }, { stream: 'stdout', truncated: true }, { stdout: 'a … c', truncated: true })
    expect(cut.match(/abc/g)).toHaveLength(1)
    expect(cut).toContain('more output')
    expect(cut).not.toContain('a … c')
  })
})
