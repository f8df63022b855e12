import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import fc from '../fast-check.js'
import { setup } from './just-bash-support.js'

const base = mkdtempSync(join(tmpdir(), 'shell-commands-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const folder = (): string => mkdtempSync(join(base, 'd-'))
const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
const native = (command: string, args: readonly string[], cwd: string, input?: Uint8Array): Buffer =>
  execFileSync(command, args, { cwd, env, input, maxBuffer: 2 ** 28 })

function randomBytes(length: number, seed: number): Uint8Array {
  let state = seed
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return state >>> 24
  })
}

const LONG = `${'long-'.repeat(30)}name`
const TREE: Readonly<Record<string, Uint8Array | string>> = {
  'p/text': 'one\ntwo\n',
  'p/empty': '',
  'p/bin': randomBytes(70_000, 1),
  'p/ü/€.txt': 'umlaut\n',
  [`p/${LONG}/${LONG}`]: 'long\n',
  'p/sp ace/q"uote': 'odd\n',
}

/** Compares commands with the programs of this machine. `whole`: with the deep tier's number of random inputs. */
export function nativeCommandCases(whole: boolean): void {
  describe('tar', () => {
    for (const flags of ['', 'z']) {
      it(`writes what GNU tar reads (${flags || 'plain'})`, async () => {
        const { shell, workspace } = setup({ files: TREE })
        await shell.exec('chmod 755 p/text; ln -s text p/link; mkdir p/none; touch -d @1500000000 p/text')
        expect(await shell.exec(`tar c${flags}f out.tar p`)).toMatchObject({ exitCode: 0, stderr: '' })
        const to = folder()
        writeFileSync(join(to, 'out.tar'), (await workspace.readBytes('out.tar')).bytes)
        native('tar', [`x${flags}f`, 'out.tar'], to)
        for (const [path, content] of Object.entries(TREE)) expect(readFileSync(join(to, path)).equals(Buffer.from(content))).toBe(true)
        expect(readlinkSync(join(to, 'p/link'))).toBe('text')
        expect(statSync(join(to, 'p/text')).mode & 0o777).toBe(0o755)
        expect(statSync(join(to, 'p/text')).mtimeMs).toBe(1_500_000_000_000)
        expect(readdirSync(join(to, 'p/none'))).toEqual([])
      })
    }

    for (const format of ['gnu', 'pax', 'ustar', 'v7']) {
      it(`reads what GNU tar writes (${format})`, async () => {
        const from = folder()
        const files = Object.entries(TREE).filter(([path]) => format === 'gnu' || format === 'pax' || !path.includes(LONG))
        for (const [path, content] of files) {
          mkdirSync(dirname(join(from, path)), { recursive: true })
          writeFileSync(join(from, path), content)
        }
        symlinkSync('text', join(from, 'p/link'))
        chmodSync(join(from, 'p/text'), 0o750)
        native('tar', ['czf', 'in.tgz', `--format=${format}`, 'p'], from)
        const { shell, workspace } = setup({ files: { 'in.tgz': readFileSync(join(from, 'in.tgz')) } })
        expect(await shell.exec('tar xf in.tgz && readlink p/link && stat -c %a p/text')).toMatchObject({
          stdout: 'text\n750\n',
          stderr: '',
        })
        for (const [path, content] of files)
          expect(Buffer.from((await workspace.readBytes(path)).bytes).equals(Buffer.from(content))).toBe(true)
        const listed = (await shell.exec('tar tzf in.tgz')).stdout.trim().split('\n').length
        expect(listed).toBe(native('tar', ['tzf', 'in.tgz'], from).toString().trim().split('\n').length)
      })
    }
  })

  describe('gzip', () => {
    it('writes archives that GNU gzip reads, and reads those of GNU gzip', async () => {
      for (const size of [0, 1, 65_535, 65_536, 1_000_000]) {
        const content = randomBytes(size, size)
        const to = folder()
        const { shell, workspace } = setup({ files: { a: content, 'b.gz': native('gzip', ['-c'], to, content) } })
        expect(await shell.exec('gzip a && gunzip b.gz')).toMatchObject({ exitCode: 0, stderr: '' })
        expect(native('gzip', ['-dc'], to, (await workspace.readBytes('a.gz')).bytes).equals(content)).toBe(true)
        expect(Buffer.from((await workspace.readBytes('b')).bytes).equals(content)).toBe(true)
      }
    })

    it('reads concatenated members and reports a damaged remainder like GNU gzip', async () => {
      const to = folder()
      const parts = ['one\n', 'x'.repeat(300_000), ''].map((text) => native('gzip', ['-c', '-9'], to, Buffer.from(text)))
      const all = Buffer.concat(parts)
      const broken = Buffer.from(all)
      broken[parts[0]?.length ? parts[0].length - 6 : 0] = (broken[parts[0]?.length ? parts[0].length - 6 : 0] ?? 0) ^ 1
      const cases: Readonly<Record<string, Buffer>> = {
        whole: all,
        padded: Buffer.concat([all, Buffer.alloc(100)]),
        junk: Buffer.concat([all, Buffer.from('junk')]),
        cut: all.subarray(0, all.length - 30),
        header: all.subarray(0, 12),
        broken,
      }
      for (const [name, content] of Object.entries(cases)) {
        writeFileSync(join(to, `${name}.gz`), content)
        const real = spawnSync('gzip', ['-dc', `${name}.gz`], { cwd: to, env, maxBuffer: 2 ** 28 })
        const { shell } = setup({ files: { [`${name}.gz`]: content } })
        const ours = await shell.exec(`gzip -dc ${name}.gz > out; s=$?; wc -c < out; exit $s`)
        expect({ name, exitCode: ours.exitCode, stderr: ours.stderr }).toEqual({
          name,
          exitCode: real.status,
          stderr: real.stderr.toString(),
        })
        if (real.status !== 1) expect(ours.stdout.trim()).toBe(String(real.stdout.length))
      }
    })
  })

  describe('patch', () => {
    /** A text, a changed copy of it, and a text that the patch is applied to. */
    const texts = fc.tuple(
      fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', ''), { minLength: 1, maxLength: 40 }),
      fc.array(fc.record({ at: fc.nat(40), remove: fc.nat(3), add: fc.array(fc.constantFrom('x', 'y', 'a', 'b'), { maxLength: 3 }) }), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.option(fc.record({ at: fc.nat(40), remove: fc.nat(2), add: fc.array(fc.constantFrom('q', 'a', ''), { maxLength: 3 }) })),
      fc.boolean(),
    )

    function edited(lines: readonly string[], edits: readonly { at: number; remove: number; add: readonly string[] }[]): string[] {
      const result = [...lines]
      for (const { at, remove, add } of edits) result.splice(Math.min(at, result.length), remove, ...add)
      return result
    }

    const joined = (lines: readonly string[], hasEnd: boolean): string =>
      lines.length === 0 ? '' : `${lines.join('\n')}${hasEnd ? '\n' : ''}`

    it('gives the results of GNU patch', async () => {
      await fc.assert(
        fc.asyncProperty(texts, async ([lines, edits, other, hasEnd]) => {
          const cwd = folder()
          const [before, after] = [joined(lines, true), joined(edited(lines, edits), hasEnd)]
          const target = joined(other ? edited(lines, [other]) : lines, true)
          writeFileSync(join(cwd, 'old'), before)
          writeFileSync(join(cwd, 'f'), after)
          const diff = spawnSync('diff', ['-u', '--label', 'f', '--label', 'f', 'old', 'f'], { cwd, env }).stdout.toString()
          if (diff === '') return
          rmSync(join(cwd, 'old'))
          writeFileSync(join(cwd, 'f'), target)
          writeFileSync(join(cwd, 'p'), diff)
          const real = spawnSync('patch', ['-p0', '-i', 'p'], { cwd, env, input: '' })
          const { shell, workspace } = setup({ files: { f: target, p: diff } })
          const ours = await shell.exec('patch -p0 -i p')
          const there = Object.fromEntries(readdirSync(cwd).map((name) => [name, readFileSync(join(cwd, name), 'utf8')]))
          const mine = Object.fromEntries(
            Object.entries(await workspace.files()).map(([name, content]) => [
              name,
              typeof content === 'string' ? content : new TextDecoder().decode(content),
            ]),
          )
          expect({ files: mine, stdout: ours.stdout, exitCode: ours.exitCode }).toEqual({
            files: there,
            stdout: real.stdout.toString(),
            exitCode: real.status,
          })
        }),
        { numRuns: whole ? 150 : 15 },
      )
    }, 120_000)
  })

  describe('bc', () => {
    it('gives the results of GNU bc', async () => {
      const number = fc
        .tuple(fc.integer({ min: -9999, max: 9999 }), fc.nat(3))
        .map(([units, scale]) => (units / 10 ** scale).toFixed(scale))
      const expression = fc
        .tuple(number, fc.array(fc.tuple(fc.constantFrom('+', '-', '*', '/', '%', '<', '==', '^2*'), number), { maxLength: 4 }), fc.nat(5))
        .map(([first, rest, scale]) => `scale=${scale}; (${first})${rest.map(([operator, value]) => `${operator}(${value})`).join('')}`)
      await fc.assert(
        fc.asyncProperty(fc.array(expression, { minLength: 1, maxLength: 20 }), async (lines) => {
          const program = `${lines.join('\n')}\n`
          const real = spawnSync('bc', [], { env, input: program }).stdout.toString()
          const { shell } = setup({ files: { program } })
          expect((await shell.exec('bc < program')).stdout).toBe(real)
        }),
        { numRuns: whole ? 40 : 15 },
      )
    }, 60_000)
  })
}
