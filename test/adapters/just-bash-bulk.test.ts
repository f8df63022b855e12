// @module-tag virtual-shell
import { describe, expect, it } from 'vitest'
import { setup } from './just-bash-support.js'

/** Lines with spaces, other line separators than the line break, and multi-byte characters; empty lines. */
const LINES = ['alpha beta', '', ' ', '\tgamma', 'ab', 'ba', 'a\rb', 'a\u2028b', 'été b', '-x', 'aXb', 'abab', 'b', 'a_b a', '😀', '0', '']

/** Patterns that might match across a line break, or at another line's edge, when many lines are searched at once. */
const SEARCHES: readonly string[] = [
  'a',
  '^a',
  'b$',
  '^$',
  '^',
  'x*',
  "'a[^x]*b'",
  "'b[[:space:]]*'",
  "'^[[:space:]]*$'",
  "'[[:cntrl:]]'",
  "'\\W'",
  "'\\sb'",
  "'\\ba'",
  "'\\`a'",
  "-E 'b\\n?a'",
  "-E '^(a|ab)$'",
  "-E 'a.b|^-'",
  "-E '(^|b)a'",
  '-w a',
  '-w b',
  '-x ab',
  "-xE 'a|ab'",
  '-i AB',
  '-F a',
  '-Fx b',
  '-e a -e ^b',
  '-c b',
  '-v a',
  '-vx ""',
  "'[^[:alpha:]]b'",
]

/** Output of the GNU tools. */
const RECORDED: readonly (readonly [command: string, output: string])[] = [
  ["seq 20000 | grep -n '999$' | tail -n 1", '19999:19999\n'],
  ['seq 20000 | grep -cv 9', '13122\n'],
  ['seq 20000 | grep -bx 15000', '78888:15000\n'],
  ['seq 20000 | grep -A1 -m2 999', '999\n1000\n--\n1999\n2000\n'],
  ['seq 20000 | grep -B1 -n 7777', '7776-7776\n7777:7777\n--\n17776-17776\n17777:17777\n'],
  ["printf 'abcdefz\\nabcdef\\nabcdefa\\nabcdefé\\nabc\\n\\nabcdeé\\n' | sort", '\nabc\nabcdef\nabcdefa\nabcdefz\nabcdefé\nabcdeé\n'],
  ["printf 'abcdefz\\nabcdef\\nabcdefa\\n\\nabc\\n' | sort -r", 'abcdefz\nabcdefa\nabcdef\nabc\n\n'],
  ["printf 'b 2\\na 10\\nc 2\\nd x\\n' | sort -k2,2n", 'd x\nb 2\nc 2\na 10\n'],
  ["printf 'b 2\\na 10\\nc 2\\nd x\\n' | sort -k2,2nr", 'a 10\nb 2\nc 2\nd x\n'],
  ["printf 'b 2\\nc 2\\na 10\\n' | sort -r -k2,2n", 'c 2\nb 2\na 10\n'],
  ["printf 'x\\ninf\\n1e3\\nnan\\n-2\\n' | sort -g", 'x\nnan\n-2\n1e3\ninf\n'],
  ["printf 'b\\na\\nb\\na\\nabcdefg\\nabcdefg\\n' | sort -u", 'a\nabcdefg\nb\n'],
  ["printf 'a b\\u00a0c\\n\\td  e\\n' > f; wc f", ' 2  5 13 f\n'],
  ["printf 'a\\nb\\nc' > f; head -n 2 f; head -n -1 f; head -c 3 f; tail -n 1 f; tail -n +2 f; tail -c 2 f", 'a\nb\na\nb\na\nbcb\nc\nc'],
  [': > f; head f; tail f; head -n -1 f; wc f', '0 0 0 f\n'],
  ["printf 'é\\n\\377\\n' > f; head -n 1 f; tail -n 1 f | od -An -tx1", 'é\n ff 0a\n'],
]

describe('commands on many lines', () => {
  it.each(SEARCHES)('grep on many lines prints the same as grep on each line: %s', async (search) => {
    const { shell } = setup({ files: { lines: LINES.map((line) => `${line}\n`).join('') } })
    const [one, after] = search.startsWith('-c') ? [search.slice(3), ' | wc -l'] : [search, '']
    const all = await shell.exec(`grep ${search} lines`)
    const single = await shell.exec(`while IFS= read -r line; do printf '%s\\n' "$line" | grep ${one}; done < lines${after}`)
    expect(all.stdout).toBe(single.stdout)
  })

  it.each(RECORDED)('prints what GNU tools print: %s', async (command, output) => {
    const { shell } = setup()
    expect((await shell.exec(command)).stdout).toBe(output)
  })
})
