// @module-tag virtual-shell
import { describe, expect, it } from 'vitest'
import { setup } from './just-bash-support.js'

const TEN = '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n'
const WORDS = 'ca\nc\n\nc\nbb\nab\nc\n'

/** Options, program, input, and the output of GNU sed 4.9. */
const RECORDED: readonly (readonly [options: string, program: string, input: string, output: string])[] = [
  ['-n', '2,~2p', TEN, '2\n3\n4\n'],
  ['-n', '4,~4p', TEN, '4\n5\n6\n7\n8\n'],
  ['-n', '1,~1p', TEN, '1\n2\n'],
  ['-n', '3,~1p', TEN, '3\n4\n'],
  ['-n', '2,~0p', TEN, '2\n'],
  ['-n', '/[24]/,~2p', TEN, '2\n3\n4\n'],
  ['-n', '0~4,~4p', TEN, '4\n5\n6\n7\n8\n'],
  ['-n', '5,2p', TEN, '5\n'],
  ['-n', '2~0p', TEN, '2\n'],
  ['-n', '0,/1/p', TEN, '1\n'],
  ['-n', '2{N;N;N;};3,4=', TEN, ''],
  ['-n', '2{N;N;N;};3,7=', TEN, '5\n6\n7\n'],
  ['-n', '2{N;N;N;};3,+1=', TEN, '5\n6\n'],
  ['-n', '2{N;N;N;};3,~4=', TEN, '5\n6\n7\n8\n'],
  ['-n', '2{N;N;N;};3,/8/=', TEN, '5\n6\n7\n8\n'],
  ['-n', '2{N;N;N;};3,$=', TEN, '5\n6\n7\n8\n9\n10\n'],
  ['-n', '2{N;N;N;};3,+0=', TEN, '5\n'],
  ['-n', '3,+1{N;N;=}', TEN, '5\n8\n'],
  ['-n', '/3/,+1{N;N;=}', TEN, '5\n8\n'],
  ['-n', '1{N;N;N;};/4/,2p', TEN, '1\n2\n3\n4\n'],
  ['-n', '2,4{p;n;n;n;p}', TEN, '2\n5\n'],
  ['-n', '1N;0,/3/=', TEN, '2\n3\n'],
  ['-n', '2,3p;3{N;N};2,3p', TEN, '2\n2\n3\n'],
  ['', '2,4{n;d}', TEN, '1\n2\n4\n6\n7\n8\n9\n10\n'],
  ['', '2,3{N;N;d}', TEN, '1\n5\n6\n7\n8\n9\n10\n'],
  ['', '2,4{N;N;N;s/\\n/+/g}', TEN, '1\n2+3+4+5\n6\n7\n8\n9\n10\n'],
  ['', '2,4!p;2{N;N;N}', TEN, '1\n1\n2\n3\n4\n5\n6\n6\n7\n7\n8\n8\n9\n9\n10\n10\n'],
  ['', '4!n;/[57]/,+1n;d', TEN, '1\n3\n5\n7\n9\n'],
  ['', '2,$p;n', TEN, '1\n2\n3\n3\n4\n5\n5\n6\n7\n7\n8\n9\n9\n10\n'],
  ['', '/c/,+1n;d', WORDS, 'ca\n\nc\n'],
  ['', '/a/,4n;d', WORDS, 'ca\n\nab\n'],
  ['', '4!n;/b/,~1n;d', WORDS, 'ca\n\nbb\nab\n'],
  ['', '$G', 'a\nb', 'a\nb\n\n'],
  ['', '$x', 'a\nb', 'a\n\n'],
  ['', 'x', 'a\nb', '\na\n'],
  ['', 'H;$!d;x', 'a\nb', '\na\nb'],
  ['', '$!N;P;D', 'a\nb', 'a\nb'],
  ['', 'N;P', 'a\nb', 'a\na\nb'],
  ['', 'p', 'a\nb', 'a\na\nb\nb'],
  ['', '$s/$/X/', 'a\nb', 'a\nbX'],
  ['', '$q', 'a\nb', 'a\nb\n'],
  ['', '2q', 'a\nb', 'a\nb\n'],
  ['', 'h;$G', 'a\nb', 'a\nb\nb'],
  ['', '$i\\\nI', 'a\nb', 'a\nI\nb'],
  ['', '$c\\\nC', 'a\nb', 'a\nC\n'],
  ['', '$=', 'a\nb', 'a\n2\nb'],
  ['', '$l', 'a\nb', 'a\nb$\nb'],
  ['', 'g', 'a\nb', '\n\n'],
  ['', '1h;2g', 'a\nb', 'a\na\n'],
  ['', 'q', 'a', 'a\n'],
  ['-z', 'i\\\nI', 'a\nb\x00c\x00', 'I\x00a\nb\x00I\x00c\x00'],
  ['-z', 'i\\\nI', 'a\nb\x00c', 'I\x00a\nb\x00I\x00c'],
  ['-z', 'c\\\nC', 'a\nb\x00c\x00', 'C\x00C\x00'],
  ['-z', 'c\\\nC', 'a\nb\x00c', 'C\x00C\x00'],
  ['-z', 'a\\\nA', 'a\nb\x00c\x00', 'a\nb\x00A\nc\x00A\n'],
  ['-z', 'a\\\nA', 'a\nb\x00c', 'a\nb\x00A\nc\x00A\n'],
  ['-z', 'P', 'a\nb\x00c\x00', 'a\nb\x00a\nb\x00c\x00c\x00'],
  ['-z', 'P', 'a\nb\x00c', 'a\nb\x00a\nb\x00c\x00c'],
  ['-z', 'N;P;D', 'a\nb\x00c\x00', 'a\nb\x00c\x00'],
  ['-z', 'N;P;D', 'a\nb\x00c', 'a\nb\x00c'],
  ['-z', 'G', 'a\nb\x00c\x00', 'a\nb\x00\x00c\x00\x00'],
  ['-z', 'G', 'a\nb\x00c', 'a\nb\x00\x00c\x00\x00'],
  ['-z', 'H;x', 'a\nb\x00c\x00', '\x00a\nb\x00a\nb\x00c\x00'],
  ['-z', 'H;x', 'a\nb\x00c', '\x00a\nb\x00a\nb\x00c'],
  ['-z', '=', 'a\nb\x00c\x00', '1\x00a\nb\x002\x00c\x00'],
  ['-z', '=', 'a\nb\x00c', '1\x00a\nb\x002\x00c'],
  ['-z', 'l', 'a\nb\x00c\x00', 'a\\nb$\x00a\nb\x00c$\x00c\x00'],
  ['-z', 'l', 'a\nb\x00c', 'a\\nb$\x00a\nb\x00c$\x00c'],
  ['-z', '$!N;s/\\x00/+/', 'a\nb\x00c\x00', 'a\nb+c\x00'],
  ['-z', '$!N;s/\\x00/+/', 'a\nb\x00c', 'a\nb+c'],
  ['-z', 'y/ab/xy/', 'a\nb\x00c\x00', 'x\ny\x00c\x00'],
  ['-z', 'y/ab/xy/', 'a\nb\x00c', 'x\ny\x00c'],
  ['-z', '1!G;h;$!d', 'a\nb\x00c\x00', 'c\x00a\nb\x00'],
  ['-z', '1!G;h;$!d', 'a\nb\x00c', 'c\x00a\nb\x00'],
]

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

describe('sed', () => {
  it.each(RECORDED)('gives the recorded result: sed %s %j of %j', async (options, program, input, output) => {
    const { shell } = setup()
    // As bytes, because a result is text, which would hide invalid UTF-8.
    const result = await shell.exec(`sed ${options} ${quoted(program)} | od -An -v -tx1`, { stdin: input })
    expect(result).toMatchObject({ exitCode: 0, stderr: '' })
    const bytes = result.stdout.split(/\s+/).filter(Boolean)
    expect(String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16)))).toBe(output)
  })

  it.each([
    ['2,4q', 'command only uses one address'],
    ['2,4Q', 'command only uses one address'],
  ])('rejects %s', async (program, words) => {
    const { shell } = setup()
    const result = await shell.exec(`echo a | sed ${program}`)
    expect(result.exitCode).toBe(1)
    expect(result.stderr).toContain(words)
  })

  it('does not print text queued by `a` after Q', async () => {
    const { shell } = setup()
    expect(await shell.exec("echo a | sed -e 'a b' -e Q")).toMatchObject({ exitCode: 0, stdout: '' })
  })

  it('-i replaces a link by a file with the mode of its target', async () => {
    const { shell } = setup({ files: { g: 'old\n' } })
    const script = 'chmod 755 g; ln -s g l; sed -i s/old/new/ l; stat -c "%a %F" l; cat g l'
    expect((await shell.exec(script)).stdout).toBe('755 regular file\nold\nnew\n')
  })

  it('splits no character when it translates or lists a long line', async () => {
    const { shell } = setup({ files: { 'long.txt': `a${'\u{1f600}'.repeat(20_000)}` } })
    expect((await shell.exec("sed 'y/\u{1f600}/b/' long.txt | tr -d b")).stdout).toBe('a')
    expect((await shell.exec('sed -n l long.txt | tr -d "\\\\\\n" | head -c 9')).stdout).toBe('a36023723')
  })
})
