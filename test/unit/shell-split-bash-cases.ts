import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { splitShell, spreadWord, toText } from '../../src/ops/shell-split.js'
import fc, { rounds } from '../fast-check.js'

/** Pieces of words with all kinds of quotes, without expansions and globs. */
const piece = fc.oneof(
  fc.stringMatching(/^[a-z0-9_./%+:=-]{1,4}$/),
  fc.stringMatching(/^'[ -&(-~\n]{0,6}'$/),
  fc.stringMatching(/^"[ !#%-[\]^_a-z{|}~\n;&|<>()*]{0,6}"$/).filter((text) => !/[$`]/.test(text)),
  fc.constantFrom(
    '""',
    "''",
    '\\ ',
    '\\;',
    '\\|',
    '\\&',
    '\\"',
    "\\'",
    '\\\\',
    '\\$',
    '\\`',
    '\\#',
    '\\*',
    '\\\n',
    '"\\""',
    '"\\$x"',
    '"a\\\nb"',
    'a#b',
    '"\\a"',
  ),
)
const word = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
const braced = fc
  .tuple(fc.stringMatching(/^[a-z]{0,2}$/), fc.constantFrom('{a,b}', '{a,{b,c}}', '{1..3}', '{a}', '{,x}', '{a,b', '"{a,b}"', '\\{a,b}'))
  .map((parts) => parts.join(''))
const redirection = fc.constantFrom('2>/dev/null', '>&2', '2>&1', '< /dev/null', '<<<x')
const command = fc
  .tuple(
    fc.array(fc.oneof({ weight: 6, arbitrary: word }, { weight: 1, arbitrary: braced }), { maxLength: 4 }),
    fc.option(redirection, { freq: 4 }),
  )
  .map(([words, more]) => `show ${[...words, ...(more === null ? [] : [more])].join(' ')}`)
const separator = fc.constantFrom(';', ' ; ', '&&', ' && ', '\n', '\n\n', ' # text; show no\n', ' &&\n')
const line = fc
  .tuple(command, fc.array(fc.tuple(separator, command), { maxLength: 3 }))
  .map(([first, more]) => first + more.flat().join(''))

/** Each command prints its arguments, each followed by a NUL, and a mark. Standard error is redirected to standard output. */
const HARNESS = `exec 2>&1; set -f; HOME=/h; show() { printf '%s\\0' "$@" END; }\n`

function inBash(script: string): string[][] {
  const out = execFileSync('bash', ['--norc', '-c', HARNESS + script], { input: '', encoding: 'utf8' })
  const calls: string[][] = [[]]
  for (const text of out.split('\0').slice(0, -1)) {
    if (text === 'END') calls.push([])
    else calls.at(-1)?.push(text)
  }
  return calls.slice(0, -1)
}

/** `printf` prints one empty string if there are no arguments. */
function inSplit(script: string): string[][] | undefined {
  const { segments, unparsable } = splitShell(script)
  if (unparsable) return undefined
  return segments.map(({ words }) =>
    words.slice(1).flatMap((one) => (spreadWord(one) ?? []).filter((text) => text !== '' || one.quotedAt !== undefined).map(toText)),
  )
}

export function shellSplitBashCases(): void {
  test('splitShell finds the words and commands of bash cap:105', () => {
    fc.assert(
      fc.property(line, (script) => {
        const own = inSplit(script)
        if (own === undefined) return
        expect(inBash(script)).toEqual(own)
      }),
      { numRuns: rounds(400) },
    )
  })

  test('splitShell accepts only what bash accepts', () => {
    const soup = fc
      .array(
        fc.constantFrom(
          'a',
          'b',
          ' ',
          ';',
          '|',
          '&',
          '&&',
          '||',
          '\n',
          '"',
          "'",
          '\\',
          '#',
          '>',
          '<',
          '2>',
          '/dev/null',
          '<<E\n',
          '\nE\n',
          '=',
          '$',
        ),
        { maxLength: 14 },
      )
      .map((parts) => parts.join(''))
    const refused: string[] = []
    fc.assert(
      fc.property(soup, (script) => {
        const { unparsable, constructs } = splitShell(script)
        if (unparsable || constructs.length > 0) return
        const { status, stderr } = spawnSync('bash', ['--norc', '-n', '-c', script], { encoding: 'utf8' })
        if (status !== 0) refused.push(`${JSON.stringify(script)}: ${stderr}`)
      }),
      { numRuns: rounds(400) },
    )
    expect(refused).toEqual([])
  })
}
