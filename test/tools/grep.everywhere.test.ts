// @module-tag grep
import { createRuntime, type FsAdapter, searchTools } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { largeAnswerCases } from './grep-cases.js'
import { type Bench, bench, benchOver, utf8 } from './harness.js'

const TREE = {
  'a.ts': 'alpha\nbeta alpha\ngamma\n',
  'src/b.ts': 'none\nalpha\r\nomega\r\n',
  'src/c.md': 'ALPHA\n',
  'bin.dat': new Uint8Array([97, 108, 112, 104, 97, 0]),
  '.hidden': 'alpha\n',
  'dist/x.js': 'alpha\n',
  '.gitignore': 'dist\n',
}

largeAnswerCases(async (files, limits) =>
  benchOver(createRuntime({ fs: createMemoryFs({ files }), tools: searchTools(), limits: limits ?? {} })),
)

describe('grep', () => {
  it('returns matching lines with line and column', async () => {
    const { ok } = bench(TREE)
    expect(await ok('grep', { pattern: 'alpha' })).toEqual({
      matches: [
        { path: '/workspace/a.ts', line: 1, column: 1, text: 'alpha' },
        { path: '/workspace/a.ts', line: 2, column: 6, text: 'beta alpha' },
        { path: '/workspace/src/b.ts', line: 2, column: 1, text: 'alpha' },
      ],
      files_searched: 3,
      skipped: { binary: 1 },
      truncated: false,
    })
  })

  it('reads only files that contain the literal of the pattern, with the same result as without scanBelow', async () => {
    const files = {
      ...TREE,
      'nul.dat': new Uint8Array([97, 0]),
      'odd.txt': new Uint8Array([0xff, 10, 97, 108, 112, 104, 97, 10]),
      'marked.txt': '\ufeffalpha\n',
      'src/n.txt': 'none\nno\n',
      'src/sub/two.txt': 'one\r\ntwo\r\n',
    }
    const fs = createMemoryFs({ files })
    const reads: string[] = []
    const read: FsAdapter['read'] = (path, options) => {
      reads.push(path)
      return fs.read(path, options)
    }
    const { scanBelow: _, ...plain } = fs
    const [quick, slow] = [{ ...fs, read }, plain].map((each) => benchOver(createRuntime({ fs: each, tools: searchTools() }))) as [
      Bench,
      Bench,
    ]
    for (const input of [
      { pattern: 'gamma' },
      { pattern: 'alpha' },
      { pattern: 'alpha', limit: 1 },
      { pattern: 'absent' },
      { pattern: 'beta\\s+alpha', output: 'count' },
      { pattern: '\ufffd', literal: true },
      { pattern: 'one\ntwo', literal: true, multiline: true },
      { pattern: 'n.*e' },
      { pattern: 'ALPHA', ignore_case: true },
    ]) {
      expect(await quick.run('grep', input), JSON.stringify(input)).toMatchObject({ ...(await slow.run('grep', input)) })
      if (input.pattern === 'gamma') expect(reads.filter((path) => path !== '/.gitignore')).toEqual(['/a.ts', '/bin.dat', '/nul.dat'])
    }
  })

  it('asks the storage for about 300 KB at once, to yield in between', async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}.txt`, 'x'.repeat(60_000)]))
    const fs = createMemoryFs({ files })
    const asked: number[] = []
    const scanBelow: FsAdapter['scanBelow'] = (directory, names, needle) => {
      asked.push(names.length)
      return fs.scanBelow?.(directory, names, needle) ?? Promise.resolve([])
    }
    const { ok } = benchOver(createRuntime({ fs: { ...fs, scanBelow }, tools: searchTools() }))
    expect(await ok('grep', { pattern: 'needle' })).toMatchObject({ files_searched: 40 })
    expect(asked).toEqual(Array.from({ length: 8 }, () => 5))
  })

  it('checks the path rules before it reads content', async () => {
    const fs = createMemoryFs({ files: { 'a.txt': 'alpha\n', 'secret/b.txt': 'none\n' } })
    const workspacePolicy = { paths: [{ paths: 'secret/**', action: 'deny' as const }] }
    const { ok } = benchOver(createRuntime({ fs, policy: workspacePolicy, tools: searchTools() }))
    expect(await ok('grep', { pattern: 'alpha' })).toMatchObject({ files_searched: 1, skipped: { unreadable: 1 } })
  })

  it('returns files or counts', async () => {
    const { ok } = bench(TREE)
    expect((await ok('grep', { pattern: 'alpha', output: 'files' })).files).toEqual(['/workspace/a.ts', '/workspace/src/b.ts'])
    expect((await ok('grep', { pattern: 'alpha', output: 'count', ignore_case: true })).counts).toEqual([
      { path: '/workspace/a.ts', count: 2 },
      { path: '/workspace/src/b.ts', count: 1 },
      { path: '/workspace/src/c.md', count: 1 },
    ])
  })

  it('searches the files selected by glob, hidden and ignore', async () => {
    const { ok } = bench(TREE)
    const files = async (input: object): Promise<string[]> =>
      (await ok('grep', { pattern: 'alpha', output: 'files', ...input })).files.map((path: string) => path.slice('/workspace/'.length))
    expect(await files({ glob: '*.ts' })).toEqual(['a.ts', 'src/b.ts'])
    expect(await files({ glob: 'src/*.ts' })).toEqual(['src/b.ts'])
    expect(await files({ glob: ['*.ts', '!src'] })).toEqual(['a.ts'])
    expect(await files({ glob: ['!*.ts'] })).toEqual([])
    expect(await files({ glob: '.hidden' })).toEqual(['.hidden'])
    expect(await files({ hidden: true, ignore: false })).toEqual(['.hidden', 'a.ts', 'dist/x.js', 'src/b.ts'])
    expect(await files({ path: 'src' })).toEqual(['src/b.ts'])
  })

  it('searches a named file even if it is ignored or hidden', async () => {
    const { ok } = bench(TREE)
    expect((await ok('grep', { pattern: 'alpha', path: 'dist/x.js' })).matches).toHaveLength(1)
    expect((await ok('grep', { pattern: 'alpha', path: '.hidden' })).matches).toHaveLength(1)
  })

  it('shows context lines', async () => {
    const { read } = bench({ f: 'one\ntwo\nthree\nfour\nfive\n' })
    expect(await read('grep', { pattern: 'three', before: 1, after: 2 })).toBe('/workspace/f\n2-two\n3:three\n4-four\n5-five')
  })

  it('matches across lines with `multiline`', async () => {
    const { ok } = bench({ f: 'a {\n  b\n}\n' })
    expect((await ok('grep', { pattern: '\\{\\n.*b', multiline: true })).matches).toEqual([
      { path: '/workspace/f', line: 1, column: 3, text: 'a {\n  b' },
    ])
  })

  it('returns every match exactly once across pages', async () => {
    const files = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`d${i}/f`, 'hit\nmiss\n'.repeat(i)]))
    const { ok } = bench(files)
    const all = (await ok('grep', { pattern: 'hit' })).matches
    expect(all).toHaveLength(21)
    for (const limit of [1, 2, 5, 21, 22]) {
      const seen: unknown[] = []
      let cursor: string | undefined
      do {
        const page: { matches: unknown[]; next?: string; truncated: boolean } = await ok('grep', {
          pattern: 'hit',
          limit,
          ...(cursor && { cursor }),
        })
        expect(page.truncated).toBe(page.next !== undefined)
        seen.push(...page.matches)
        cursor = page.next
      } while (cursor)
      expect(seen).toEqual(all)
    }
    const counts: unknown[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: { counts: unknown[]; next?: string } = await ok('grep', {
        pattern: 'hit',
        output: 'count',
        limit: 2,
        ...(cursor && { cursor }),
      })
      counts.push(...page.counts)
      cursor = page.next
    }
    expect(counts).toHaveLength(6)
  })

  it('searches text that is not UTF-8, and ignores a byte order mark', async () => {
    const { ok } = bench({ latin: new Uint8Array([...utf8('caf'), 0xe9, ...utf8(' hit\n')]), bom: '\ufeffhit\n' })
    expect((await ok('grep', { pattern: '^hit' })).matches).toEqual([{ path: '/workspace/bom', line: 1, column: 1, text: 'hit' }])
    expect((await ok('grep', { pattern: 'hit', path: 'latin' })).matches).toHaveLength(1)
  })

  it('searches files above the size limit in pieces, and counts those that need to be searched as a whole', async () => {
    const files = {
      log: 'one\nhit 1\ntwo\n'.repeat(40),
      crlf: 'a\r\nhit\r\nb é\r\n'.repeat(40),
      returns: 'a\r\r\nhit\r\r\nb\rc\r\n'.repeat(40),
      long: `hit${'x'.repeat(2000)}\n`,
      small: 'hit',
    }
    const of = (grepFileBytes: number): Bench =>
      benchOver(createRuntime({ fs: createMemoryFs({ files }), tools: searchTools(), limits: { grepFileBytes } }))
    const input = { glob: '!long', limit: 500 }
    const asked = [
      { pattern: 'hit', before: 2, after: 2 },
      { pattern: '(t|o)w?o', output: 'count' },
      { pattern: 'hit', output: 'files' },
      { pattern: 'two\\none', multiline: true },
      { pattern: 'é$' },
      { pattern: '\\r$', output: 'count' },
      { pattern: 'b.c', before: 1 },
      { pattern: 'nothing' },
    ]
    for (const ask of asked)
      expect(await of(100).ok('grep', { ...input, ...ask }), ask.pattern).toEqual(await of(1e6).ok('grep', { ...input, ...ask }))
    expect((await of(100).ok('grep', { pattern: 'hit', output: 'count' })).skipped).toEqual({ too_large: 1 })
    const pages: unknown[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await of(100).ok('grep', { ...input, pattern: 'hit', limit: 7, ...(cursor && { cursor }) })
      pages.push(...page.matches)
      cursor = page.next
      if (cursor === undefined) break
    }
    expect(pages).toEqual((await of(1e6).ok('grep', { ...input, pattern: 'hit' })).matches)
  })

  it.each([
    ['a letter in NFD', { pattern: 'cafe\u0301' }, 'The pattern is in NFD: the same letters in another Unicode form'],
    ['a letter in NFC, as plain text', { pattern: 'na\u00efve', literal: true }, 'The pattern is in NFC: the same letters'],
    ['a boundary next to a non-ASCII letter', { pattern: '\\b\u65e5\\b' }, '"\\b" handles ASCII letters only'],
  ])('gives a hint for a pattern that may match nothing: %s', async (_, input, hint) => {
    const { ok, read } = bench({ 'a.txt': 'caf\u00e9 nai\u0308ve \u65e5\n' })
    for (const output of ['content', 'files', 'count']) expect((await ok('grep', { ...input, output })).hint).toContain(hint)
    expect(await read('grep', input)).toContain(`[No match in 1 files]\n[${hint}`)
    expect(await ok('grep', { pattern: 'caf\u00e9' })).not.toHaveProperty('hint')
    expect(await ok('grep', { pattern: 'zzz' })).not.toHaveProperty('hint')
  })

  it('reports no match and what was not searched', async () => {
    const { read } = bench(TREE)
    expect(await read('grep', { pattern: 'zzz' })).toBe(
      '[No match in 3 files]\n[Not searched: 1 binary, 2 hidden (set hidden to true), 1 ignored (set ignore to false)]',
    )
  })

  it.each([
    ['look-ahead', 'a(?=b)', 'look'],
    ['look-behind', '(?<!a)b', 'look'],
    ['a back-reference', '(a)\\1', 'reference'],
    ['broken syntax', 'a(b', 'a(b'],
    ['a line break without multiline', 'a\\nb', 'multiline'],
  ])('rejects %s and names an alternative', async (_, pattern, word) => {
    const { output, error } = await bench(TREE).fail('grep', { pattern })
    expect(output.code).toBe('invalid_input')
    expect(error).toContain(word)
  })

  it('matches a literal pattern verbatim', async () => {
    const { ok } = bench({ f: 'a.b(c\naxb(c\n' })
    expect((await ok('grep', { pattern: 'a.b(c', literal: true })).matches).toHaveLength(1)
  })

  it.each([
    ['nested repetition', '(a+)+$', 'a'],
    ['overlapping alternatives', '(a|a)*b', 'a'],
    ['three stars', '(.*)*(.*)*[xy]{2}', 'a'],
    ['trailing whitespace', '\\s+$', ' '],
  ])('is not blocked by %s', async (_, pattern, letter) => {
    const fs = createMemoryFs({ files: { f: `${letter.repeat(100_000)}!\n`.repeat(60) } })
    const runtime = createRuntime({ fs, tools: searchTools() })
    const isBlocking = async (): Promise<boolean> => {
      let ticks = 0
      const start = performance.now()
      const timer = setInterval(() => ticks++, 0)
      const result = await runtime.execute({ name: 'grep', input: { pattern } })
      clearInterval(timer)
      expect(result.ok).toBe(true)
      // A search that yields to timers does not block, nor does one that ends within 50 ms.
      return ticks === 0 && performance.now() - start >= 50
    }
    // On a busy machine, even a short turn may be interrupted for long, but not many times in a row.
    let tries = 1
    while ((await isBlocking()) && tries < 10) tries++
    expect(tries).toBeLessThan(10)
  })

  it('searches lines above 1 MB only for plain text, and reports them', async () => {
    const { ok } = bench({ f: `one needle\n${'x'.repeat(1_100_000)}needle\nneedle 3\n` })
    const lines = async (pattern: string): Promise<unknown> => {
      const { matches, skipped } = await ok('grep', { pattern })
      return [matches.map(({ line }: { line: number }) => line), skipped]
    }
    expect(await lines('needle')).toEqual([[1, 2, 3], undefined])
    expect(await lines('n[e]+d(l|k)e')).toEqual([[1, 3], { long_lines: 1 }])
    expect(await lines('(n|e)+dle')).toEqual([[1, 3], { long_lines: 1 }])
  })

  it('finds a match across many lines, and reports where one may be too long', async () => {
    const lines = (count: number): string => `START\n${'x\n'.repeat(count)}END\n`
    const files = { 'a/long': lines(10_000), 'a/longer': lines(100_000), 'b/none': 'x\n'.repeat(100_000) }
    const pattern = '(?:START|FOO)[\\s\\S]*?(?:END|BAR)'
    for (const limits of [{}, { grepFileBytes: 64 * 1024 }]) {
      const { ok, read } = benchOver(createRuntime({ fs: createMemoryFs({ files }), tools: searchTools(), limits }))
      const { matches, skipped } = await ok('grep', { pattern, multiline: true })
      expect(matches).toMatchObject([{ path: '/workspace/a/long', line: 1 }])
      expect(skipped).toEqual({ long_matches: 2 })
      expect(await ok('grep', { pattern: 'START(?:\\nx){0,3}', multiline: true, output: 'count' })).not.toHaveProperty('skipped')
      expect(await read('grep', { pattern, multiline: true, path: 'a/longer' })).toContain(
        '[Not searched: 1 with possible matches over the length limit (make the pattern span fewer lines, as in (?:.*\\n){0,30})]',
      )
    }
  })

  it('returns its matches on abort and can continue from there', async () => {
    const files = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`f${String(i).padStart(4, '0')}`, 'hit\n']))
    const controller = new AbortController()
    const memory = createMemoryFs({ files })
    const read: FsAdapter['read'] = (path, options) => {
      if (path === '/f1234') controller.abort()
      return memory.read(path, options)
    }
    const runtime = createRuntime({ fs: { ...memory, read }, tools: searchTools() })
    const input = { pattern: 'hit', limit: 5000 }
    const first = await runtime.call('grep', input, { signal: controller.signal })
    const { matches, next } = first as unknown as { matches: { path: string }[]; next: string }
    expect(first).toMatchObject({ interrupted: true, truncated: true })
    expect(matches.at(-1)?.path).toBe(`/workspace/f${String(matches.length - 1).padStart(4, '0')}`)
    const rest = (await runtime.call('grep', { ...input, cursor: next })) as unknown as typeof first & { matches: unknown[] }
    expect(rest.matches.length + matches.length).toBe(3000)
  })

  it.each([
    ['returns the matches found', 'hit', { ok: true, output: { interrupted: true } }],
    ['fails without matches', 'miss', { ok: false, output: { code: 'aborted' } }],
  ])('%s if it is stopped while a directory is listed', async (_, content, expected) => {
    // As many files as a walk returns at once, so that the next directory is only listed after these files have been searched.
    const files = Object.fromEntries(Array.from({ length: 512 }, (_, i) => [`a${i}`, content]))
    const controller = new AbortController()
    const memory = createMemoryFs({ files: { ...files, 'b/c': 'hit' } })
    const readdir: FsAdapter['readdir'] = (path) => {
      if (path === '/b') controller.abort()
      return memory.readdir(path)
    }
    const runtime = createRuntime({ fs: { ...memory, readdir }, tools: searchTools() })
    const call = { name: 'grep', input: { pattern: 'hit', ignore: false, limit: 5000 } }
    expect(await runtime.execute(call, { signal: controller.signal })).toMatchObject(expected)
  })
})
