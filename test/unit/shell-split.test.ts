// @module-tag runtime
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { describe, expect, test } from 'vitest'
import { globbed, type ShellLine, splitShell, spreadWord, toText } from '../../src/ops/shell-split.js'
import { rounds } from '../fast-check.js'

/** The words of each segment, followed by its separator. */
const shape = (line: ShellLine): unknown =>
  line.segments.map(({ words, separator }) => [...words.map(({ text }) => text), separator ?? '.'])

const SHAPES: readonly (readonly [command: string, shape: readonly (readonly string[])[]])[] = [
  ['', []],
  ['ls', [['ls', '.']]],
  [
    'a;b|c|&d&&e||f&g\nh',
    [
      ['a', ';'],
      ['b', '|'],
      ['c', '|&'],
      ['d', '&&'],
      ['e', '||'],
      ['f', '&'],
      ['g', '\n'],
      ['h', '.'],
    ],
  ],
  [
    'a ;  b',
    [
      ['a', ';'],
      ['b', '.'],
    ],
  ],
  ['echo \'a;b\' "c|d" e\\&f', [['echo', 'a;b', 'c|d', 'e&f', '.']]],
  ['echo "a\\"b" \'c\\\' "\\x"', [['echo', 'a"b', 'c\\', '\\x', '.']]],
  ["echo '' \"\" a''b", [['echo', '', '', 'ab', '.']]],
  [
    'echo a#b # c; d\ne',
    [
      ['echo', 'a#b', '\n'],
      ['e', '.'],
    ],
  ],
  ['a \\\n b', [['a', 'b', '.']]],
  ['a\\\nb', [['ab', '.']]],
  ['"a\\\nb"', [['ab', '.']]],
  ["'a\\\nb'", [['a\\\nb', '.']]],
  ['\n\na\n\n', [['a', '\n']]],
  [
    'a &&\n\nb',
    [
      ['a', '&&'],
      ['b', '.'],
    ],
  ],
  [
    'cat <<A <<B; c\n1\nA\n2\nB\nd',
    [
      ['cat', ';'],
      ['c', '\n'],
      ['d', '.'],
    ],
  ],
  [
    'cat <<-E\n\t1\n\tE\nd',
    [
      ['cat', '\n'],
      ['d', '.'],
    ],
  ],
  [
    "cat <<'E F'\n1\nE F\nd",
    [
      ['cat', '\n'],
      ['d', '.'],
    ],
  ],
  ['cat <<E\nE \n E\nE', [['cat', '\n']]],
  [
    '! a | ! b',
    [
      ['a', '|'],
      ['b', '.'],
    ],
  ],
  [
    'if a; then b; fi',
    [
      ['a', ';'],
      ['b', ';'],
      ['fi', '.'],
    ],
  ],
]

test('commands are split like by a shell cap:105', () => {
  expect(SHAPES.map(([command]) => [command, shape(splitShell(command)), splitShell(command).unparsable])).toEqual(
    SHAPES.map(([command, segments]) => [command, segments, undefined]),
  )
})

describe('splitShell positions cap:105', () => {
  const found = (command: string): readonly string[] =>
    splitShell(command).expansions.map(({ kind, start, end }) => `${kind} ${command.slice(start, end)}`)
  test('positions of expansions', () => {
    expect(found('`a` $(b) "$(c)" $d ${e} "${f}" $((1)) <(g) >(h) $[1] $1 $?')).toEqual([
      'backtick `a`',
      'command $(b)',
      'command $(c)',
      'parameter $d',
      'parameter ${e}',
      'parameter ${f}',
      'arithmetic $((1))',
      'process <(g)',
      'process >(h)',
      'arithmetic $[',
      'parameter $1',
      'parameter $?',
    ])
    expect(found('$(a $(b ")" \')\' `)`) (c)) ${x:-$(y)}')).toEqual(['command $(a $(b ")" \')\' `)`) (c))', 'parameter ${x:-$(y)}'])
    expect(found('\'$a `b` $(c)\' \\$d "\\$e" $ "$" a$')).toEqual([])
    expect(found("cat <<E\n$a \\$b\nE\ncat <<'E'\n$c\nE")).toEqual(['parameter $a'])
    expect(found('$\'a\' $"b"')).toEqual(['quote $', 'quote $'])
  })
  test('positions of redirections', () => {
    const command = 'a >f 2>>g <h 2>&1 >&2 <&- &>i >|j <>k {x}>l <<<m 9>/dev/null </dev/zero >/dev/stdout </dev/stdout {y}>/dev/null'
    expect(
      splitShell(command).segments[0]?.redirections.map(({ fd = '', operator, target, safe }) => `${fd}${operator}${target.text} ${safe}`),
    ).toEqual([
      '>f false',
      '2>>g false',
      '<h false',
      '2>&1 true',
      '>&2 true',
      '<&- true',
      '&>i false',
      '>|j false',
      '<>k false',
      '{x}>l false',
      '<<<m true',
      '9>/dev/null true',
      '</dev/zero true',
      '>/dev/stdout true',
      '</dev/stdout false',
      '{y}>/dev/null false',
    ])
  })
  test('a number is a file descriptor only directly before the operator, unquoted', () => {
    const texts = (command: string): unknown => splitShell(command).segments.map(({ words }) => words.map(({ text }) => text))
    expect(texts('echo 2 >&1')).toEqual([['echo', '2']])
    expect(texts('echo "2">&1')).toEqual([['echo', '2']])
    expect(texts('echo a2>&1')).toEqual([['echo', 'a2']])
    expect(texts('echo 2>&1')).toEqual([['echo']])
  })
  test('positions of assignments before a command', () => {
    const parts = (command: string): unknown =>
      splitShell(command).segments.map(({ assignments, words }) => [
        assignments.map(({ name, value }) => [name, value]),
        words.map(({ text }) => text),
      ])
    expect(parts('A=1 B="x y" c D=2')).toEqual([
      [
        [
          ['A', '1'],
          ['B', 'x y'],
        ],
        ['c', 'D=2'],
      ],
    ])
    expect(parts('"A"=1 c')).toEqual([[[], ['A=1', 'c']]])
    expect(parts('A""=1 c')).toEqual([[[], ['A=1', 'c']]])
    expect(parts('A+=1')).toEqual([[[['A', '1']], []]])
    expect(parts('1A=1')).toEqual([[[], ['1A=1']]])
  })
  test('positions of constructs', () => {
    const kinds = (command: string): unknown => splitShell(command).constructs.map(({ kind, text }) => `${kind} ${text}`)
    expect(kinds('(a)')).toEqual(['subshell (', 'subshell )'])
    expect(kinds('{ a; }')).toEqual(['group {', 'group }'])
    expect(kinds('f() { a; }')).toEqual(['function (', 'subshell )', 'group {', 'group }'])
    expect(kinds('a=(b)')).toEqual(['array (', 'subshell )'])
    expect(kinds('for x in y; do z; done')).toEqual(['compound for', 'compound do', 'compound done'])
    expect(kinds('case x in y) z;; esac')).toEqual(['compound case', 'subshell )', 'case ;;', 'compound esac'])
    expect(kinds('echo if then { } "for"; "if" x; \\if')).toEqual([])
  })
})

test('words keep what was quoted', () => {
  const words = splitShell('a* "b*" c\\* {d,e} "{f,g}" ~ "~" {1..3} x{y').segments[0]?.words ?? []
  expect(words.map(({ pattern }) => pattern)).toEqual(['a*', 'b\\*', 'c\\*', '{d,e}', '\\{f\\,g\\}', '~', '\\~', '{1..3}', 'x{y'])
  expect(words.map(globbed_)).toEqual([true, false, false, false, false, false, false, false, false])
  expect(words.flatMap((word) => spreadWord(word)?.map(toText))).toEqual([
    'a*',
    'b*',
    'c*',
    'd',
    'e',
    '{f,g}',
    '~',
    '~',
    '1',
    '2',
    '3',
    'x{y',
  ])
  expect(spreadWord({ pattern: '{1..100000}' })).toBeUndefined()
  expect(spreadWord({ pattern: '{a,b}'.repeat(30) })).toBeUndefined()
  expect(spreadWord({ pattern: '\ue000{a,b}' })).toBeUndefined()
})

const globbed_ = ({ pattern }: { readonly pattern: string }): boolean => globbed(pattern)

const UNPARSABLE: readonly (readonly [command: string, at: number, reason: string])[] = [
  ["a 'b", 2, 'a single quote is not closed'],
  ['a "b', 2, 'a double quote is not closed'],
  ['a `b', 2, 'a backtick is not closed'],
  ['a $(b', 2, '"$(" is not closed'],
  ['a "${b"', 3, '"${" is not closed'],
  ['a <(b', 2, '"<(" is not closed'],
  ['a \\', 2, 'it ends in a backslash'],
  ['a |', 2, 'there is no command after "|"'],
  ['a && || b', 5, 'there is no command before "||"'],
  ['; a', 0, 'there is no command before ";"'],
  ['a > ; b', 2, 'there is nothing after ">"'],
  ['a <<E\nb', 4, 'the heredoc has no line "E" that ends it'],
  ['a <<"E\nF"\nE\nF', 4, 'the delimiter of a heredoc is not a plain word'],
  ['a <<E\nb\\\nE\n', 7, "a line of the heredoc ends in a backslash: quote its delimiter, <<'E'"],
  ['a\0', 1, 'it has a NUL character'],
  ['a\u2028b', 1, 'it has an unusual space (U+2028)'],
  ['a\x07', 1, 'it has a control character (U+0007)'],
  ["a $(b 'c)", 2, '"$(" is not closed'],
  ['a &\\\n& b', 2, 'a backslash breaks the line right after "&"'],
]

test('unparsable commands are reported with position and reason cap:105', () => {
  expect(UNPARSABLE.map(([command]) => splitShell(command).unparsable)).toEqual(UNPARSABLE.map(([, at, reason]) => ({ at, reason })))
})

/** A million characters in the deep tier, a tenth of that in the default tier. */
const HUGE_SIZE = rounds(1e6)
const HUGE: readonly (readonly [what: string, text: string])[] = [
  ['letters', 'a'.repeat(HUGE_SIZE)],
  ['words', 'a '.repeat(HUGE_SIZE / 2)],
  ['separators', 'a;'.repeat(HUGE_SIZE / 2)],
  ['parentheses', '('.repeat(HUGE_SIZE)],
  ['nested substitutions', `${'$('.repeat(HUGE_SIZE / 4)}${')'.repeat(HUGE_SIZE / 4)}`],
  ['open substitutions', '$('.repeat(HUGE_SIZE / 2)],
  ['open braces', '${'.repeat(HUGE_SIZE / 2)],
  ['backticks', '`a`'.repeat(HUGE_SIZE / 4)],
  ['quotes', '"a"'.repeat(HUGE_SIZE / 4)],
  ['open quotes', `"${'\\"'.repeat(HUGE_SIZE / 2)}`],
  ['backslashes', '\\'.repeat(HUGE_SIZE)],
  ['heredocs', `${'<<E '.repeat(HUGE_SIZE / 5)}\n${'E\n'.repeat(HUGE_SIZE / 5)}`],
  ['lines of a heredoc', `cat <<E\n${'x\n'.repeat(HUGE_SIZE / 2)}E`],
  ['backslashes in a heredoc', `cat <<E\n${'\\'.repeat(HUGE_SIZE)}\nE`],
  ['redirections', '>a '.repeat(HUGE_SIZE / 4)],
  ['variables', '$a'.repeat(HUGE_SIZE / 2)],
  ['a long variable', `$${'a'.repeat(HUGE_SIZE)}`],
  ['comments', '#\n'.repeat(HUGE_SIZE / 2)],
  ['continuations', '\\\n'.repeat(HUGE_SIZE / 2)],
  ['assignments', 'a=b '.repeat(HUGE_SIZE / 4)],
]

for (const [what, text] of HUGE) {
  test(`a command with much ${what} is split in linear time`, () => {
    expect(splitShell(text).segments.length).toBeGreaterThanOrEqual(0)
  })
}
