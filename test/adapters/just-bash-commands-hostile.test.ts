// @module-tag virtual-shell
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { describe, expect, it } from 'vitest'
import { setup } from './just-bash-support.js'

const encoder = new TextEncoder()

interface Member {
  readonly name: string
  readonly type?: string
  readonly link?: string
  readonly content?: string
}

/** A ustar archive with these members, which need not be valid. */
function archive(...members: readonly Member[]): Uint8Array {
  const blocks: Uint8Array[] = []
  for (const { name, type = '0', link = '', content = '' } of members) {
    const block = new Uint8Array(512)
    const put = (at: number, text: string): void => block.set(encoder.encode(text), at)
    put(0, name)
    put(100, '0000644\0')
    put(108, '0000000\0')
    put(116, '0000000\0')
    put(124, `${content.length.toString(8).padStart(11, '0')}\0`)
    put(136, '00000000000\0')
    put(148, '        ')
    put(156, type)
    put(157, link)
    put(257, 'ustar\x0000')
    const sum = block.reduce((total, byte) => total + byte, 0)
    put(148, `${sum.toString(8).padStart(6, '0')}\0 `)
    blocks.push(block)
    const body = new Uint8Array(Math.ceil(content.length / 512) * 512)
    body.set(encoder.encode(content))
    blocks.push(body)
  }
  blocks.push(new Uint8Array(1024))
  const all = new Uint8Array(blocks.reduce((total, { length }) => total + length, 0))
  let at = 0
  for (const block of blocks) {
    all.set(block, at)
    at += block.length
  }
  return all
}

const GOOD: Member = { name: 'good', content: 'good\n' }

describe('tar with bad archives', () => {
  const hostile: Readonly<Record<string, readonly Member[]>> = {
    'rejects a path outside the target': [GOOD, { name: '../evil', content: 'x' }],
    'rejects a path that leaves the target further down': [GOOD, { name: 'a/../../evil', content: 'x' }],
    'rejects an absolute path': [GOOD, { name: '/evil', content: 'x' }],
    'rejects a link to the root': [GOOD, { name: 'l', type: '2', link: '/' }],
    'rejects a link to a path outside the target': [GOOD, { name: 'l', type: '2', link: '../../tmp' }],
    'rejects a file below a link from the same archive': [GOOD, { name: 'l', type: '2', link: 'd' }, { name: 'l/evil', content: 'x' }],
    'rejects a hard link': [GOOD, { name: 'h', type: '1', link: 'good' }],
    'rejects a device': [GOOD, { name: 'dev', type: '3' }],
    'rejects a fifo': [GOOD, { name: 'pipe', type: '6' }],
    'rejects the same name for a file and a link': [GOOD, { name: 'good', type: '2', link: 'other' }],
    'rejects a file and a directory of the same name': [GOOD, { name: 'good/x', content: 'x' }],
    'rejects a name with a backslash': [GOOD, { name: 'a\\b', content: 'x' }],
  }
  for (const [name, members] of Object.entries(hostile)) {
    it(name, async () => {
      const { shell, workspace } = setup({ files: { 't.tar': archive(...members) } })
      const { exitCode, stderr } = await shell.exec('mkdir -p in/side; tar xf t.tar -C in/side')
      expect(exitCode).toBe(2)
      expect(stderr).toMatch(/^tar: t\.tar: /)
      expect(Object.keys(await workspace.files())).toEqual(['t.tar'])
      expect((await shell.exec('find in /tmp')).stdout).toBe('in\nin/side\n/tmp\n')
    })
  }

  it('extracts the last copy of a file that occurs twice, as with -r', async () => {
    const { shell } = setup({ files: { 't.tar': archive(GOOD, { name: 'good', content: 'other' }) } })
    expect(await shell.exec('tar xf t.tar; cat good; tar tf t.tar')).toMatchObject({ stdout: 'othergood\ngood\n', exitCode: 0 })
  })

  it('writes no files from a truncated or damaged archive', async () => {
    const whole = archive(GOOD, { name: 'more', content: 'x'.repeat(2000) })
    const damaged = whole.slice()
    damaged[1024] = 0xff
    const { shell, workspace } = setup({ files: { 'cut.tar': whole.subarray(0, 1800), 'damaged.tar': damaged, 'empty.tar': '' } })
    for (const name of ['cut', 'damaged', 'empty']) {
      expect(await shell.exec(`tar xf ${name}.tar`)).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/^tar: /) })
    }
    expect(Object.keys(await workspace.files()).sort()).toEqual(['cut.tar', 'damaged.tar', 'empty.tar'])
  })

  it('replaces an existing link instead of writing through it', async () => {
    const { shell, workspace } = setup({ files: { 't.tar': archive({ name: 'l', content: 'new\n' }), kept: 'kept\n' } })
    expect(await shell.exec('ln -s kept l; tar xf t.tar; cat l; [ -L l ] || echo file')).toMatchObject({
      stdout: 'new\nfile\n',
      exitCode: 0,
    })
    expect((await workspace.readText('kept')).text).toBe('kept\n')
  })
})

describe('gzip', () => {
  it('explains why a file is not gzip', async () => {
    const files = {
      'empty.gz': '',
      'short.gz': Uint8Array.of(0x1f, 0x8b),
      'text.gz': 'text\n',
      'method.gz': Uint8Array.of(0x1f, 0x8b, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    }
    const { shell, workspace } = setup({ files })
    expect((await shell.exec('gunzip empty.gz; gunzip short.gz; gunzip text.gz; gunzip method.gz')).stderr).toBe(
      '\ngzip: empty.gz: unexpected end of file\n\ngzip: short.gz: unexpected end of file\n\ngzip: text.gz: not in gzip format\n' +
        '\ngzip: method.gz: unknown method 9 -- not supported\n',
    )
    expect(Object.keys(await workspace.files())).toHaveLength(4)
  })
})

describe('patch', () => {
  it('rejects paths outside the current directory', async () => {
    const { shell, workspace } = setup({ files: { x: 'one\n', 'd/f': 'f\n' } })
    const bad = (name: string): string => `cd d; printf -- '--- ${name}\\n+++ ${name}\\n@@ -1 +1 @@\\n-one\\n+two\\n' | patch -p0`
    for (const name of ['../x', '/workspace/x', 'a/../../x']) {
      expect(await shell.exec(bad(name))).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(`dangerous file name ${name}`) })
    }
    expect(await workspace.files()).toEqual({ x: 'one\n', 'd/f': 'f\n' })
  })
})

describe('limits', () => {
  const lines = 'a line\n'.repeat(140)

  it.each([
    'xxd f',
    'base64 f',
    'od -c f',
    'hexdump -Cv f',
    'fold -w1 f',
    'nl -w 20 f',
    'cat -n f',
    'expand -t 20 t',
    'sed p f',
    "awk '{print $0, $0}' f",
    'paste f f',
    'join f f',
    'sort f f',
    'seq 1000',
    'grep -n a f f',
    'cmp -l f g',
    'shuf -r -n 900 f',
    "printf '%200s' 1 2 3 4 5 6",
  ])('end the whole script when a command prints too much in a pipe: %s', async (command) => {
    const files = { f: lines, g: lines.toUpperCase(), t: lines.replaceAll(' ', '\t') }
    const { shell } = setup({ files, shell: { limits: { outputBytes: 1000 } } })
    const name = command.split(' ', 1)[0]
    const result = await shell.exec(`echo before; ${command} | wc -c; echo after`)
    expect(result).toMatchObject({ exitCode: 126, stdout: 'before\n' })
    expect(result.stderr).toMatch(new RegExp(`^bash: (?:bash: )?${name}: .*1000 bytes`))
  })

  it('the limit of a sed pattern space is named in the error', async () => {
    const result = await setup().shell.exec("sed ':a;s/^.*$/&&/;ba' <<< x | wc -c; echo after")
    expect(result).toMatchObject({ exitCode: 126, stdout: '' })
    expect(result.stderr).toContain('sed: a pattern space and a hold space of more than 67108864 characters')
  })

  it('do not come from the call stack: 150,000 elements work', async () => {
    const script = [
      'seq 150000 | column -t | tail -1',
      'a=($(seq 150000)); a+=(last); echo ${#a[@]} ${a[-1]} ${a[-2]}',
      'a[-1]=changed; echo ${a[150000]}; unset "a[-1]"; echo ${#a[@]}; unset a',
      'seq 150000 | xargs -s 2000000 echo | wc -w',
      "printf '%150000s\\n' '' | tr ' ' x | xargs echo | wc -c",
    ]
    expect(await setup().shell.exec(script.join('; '))).toMatchObject({
      stdout: '150000\n150001 last 150000\nchanged\n150000\n150000\n150001\n',
      stderr: '',
    })
  })

  it('length limits count characters, not UTF-16 units', async () => {
    expect(await setup().shell.exec('x=a€😀; a=($x); echo ${#x} ${#a} ${#a[@]}')).toMatchObject({ stdout: '3 3 1\n' })
  })
})
