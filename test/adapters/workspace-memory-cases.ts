import { createWorkspace, type FsAdapter, type Workspace, type WorkspaceOptions } from 'toolport'
import { createWorkspaceMemory, type WorkspaceMemory, type WorkspaceMemoryOptions } from 'toolport/adapters/workspace-memory'
import { createTestHost, type TestHost } from 'toolport/testing'
import { describe, expect, it } from 'vitest'

export type OpenStorage = () => Promise<{ readonly fs: FsAdapter; readonly close?: () => Promise<void> }>

const FILE = '.toolport/memory.jsonl'
const START = Date.UTC(2025, 0, 1)
const DAY = 86_400_000

interface Bench {
  readonly memory: WorkspaceMemory
  readonly workspace: Workspace
  readonly host: TestHost
  /** Opens the same storage again, like another program. */
  readonly reopen: (options?: WorkspaceMemoryOptions, more?: Partial<WorkspaceOptions>) => { memory: WorkspaceMemory; workspace: Workspace }
  readonly texts: (query: string, limit?: number) => Promise<readonly string[]>
  readonly file: () => Promise<string>
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((yes) => {
    resolve = yes
  })
  return { promise, resolve }
}

/** Cases for a workspace's memory, for every storage. */
export function workspaceMemoryCases(open: OpenStorage): void {
  const withBench = async (options: WorkspaceMemoryOptions, body: (bench: Bench) => Promise<void>): Promise<void> => {
    const { fs, close } = await open()
    const host = createTestHost()
    const reopen: Bench['reopen'] = (again = options, more = {}) => {
      const workspace = createWorkspace({ fs, host, root: '/workspace', ...more })
      return { workspace, memory: createWorkspaceMemory(again)(workspace) }
    }
    const { memory, workspace } = reopen()
    const texts: Bench['texts'] = async (query, limit) => (await memory.recall({ query, limit })).map(({ text }) => text)
    await body({ memory, workspace, host, reopen, texts, file: async () => (await workspace.readText(FILE)).text })
    await close?.()
  }
  const test = (title: string, body: (bench: Bench) => Promise<void>, options: WorkspaceMemoryOptions = {}): void =>
    it(title, () => withBench(options, body))

  describe('store', () => {
    test('appends one JSON line for each note', async ({ memory, host, file }) => {
      expect(await memory.store({ text: 'The user likes tea' })).toEqual({ text: 'The user likes tea', createdMs: START })
      await host.advance(1500)
      await memory.store({ key: 'lang', text: 'Rust\nand "Go"', category: 'core' })
      expect(await file()).toBe(
        '{"time":1735689600000,"text":"The user likes tea"}\n{"time":1735689601500,"key":"lang","category":"core","text":"Rust\\nand \\"Go\\""}\n',
      )
    })

    test('replaces the note with the same key and keeps every other line', async ({ memory, file, workspace }) => {
      const damaged = '{"half": \n'
      await workspace.writeText(FILE, `{"time":1,"key":"a","text":"one"}\n${damaged}{"time":2,"text":"two"}`)
      await memory.store({ key: 'a', text: 'uno' })
      expect(await file()).toBe(`${damaged}{"time":2,"text":"two"}\n{"time":${START},"key":"a","text":"uno"}\n`)
    })

    test('keeps all concurrent notes', async ({ memory, reopen, texts }) => {
      const other = createWorkspaceMemory()(reopen().workspace)
      const texts20 = Array.from({ length: 20 }, (_, i) => `note ${i}`)
      await Promise.all(texts20.map((text) => memory.store({ text })))
      expect((await texts('', 100)).toSorted()).toEqual(texts20.toSorted())
      expect(await other.recall({ query: '', limit: 100 })).toHaveLength(20)
    })

    test('storing through two memories of one workspace keeps all notes', async ({ workspace }) => {
      const [one, two] = [createWorkspaceMemory()(workspace), createWorkspaceMemory()(workspace)]
      await Promise.all([...Array(10).keys()].flatMap((i) => [one.store({ key: 'same', text: `a${i}` }), two.store({ text: `b${i}` })]))
      const texts = (await one.recall({ query: '', limit: 100 })).map(({ text }) => text)
      expect(texts.filter((text) => text.startsWith('b'))).toHaveLength(10)
      expect(texts.filter((text) => text.startsWith('a'))).toEqual(['a9'])
    })

    test('starts a new line after an incomplete one', async ({ memory, workspace, file }) => {
      await workspace.writeText(FILE, '{"time":1,"te')
      await memory.store({ text: 'whole' })
      expect(await file()).toBe(`{"time":1,"te\n{"time":${START},"text":"whole"}\n`)
      expect(await memory.recall({ query: 'whole' })).toHaveLength(1)
    })

    test('rejects invalid notes', async ({ memory, workspace }) => {
      await expect(memory.store({ text: ' ' })).rejects.toThrow('Cannot remember this: text must be text that is not blank')
      await expect(memory.store({ key: '', text: 'x' })).rejects.toThrow('Cannot remember this: key must be text that is not blank')
      await expect(memory.store({ category: '\n', text: 'x' })).rejects.toMatchObject({ name: 'InputError', code: 'invalid_input' })
      await expect(memory.store({ text: 7 as unknown as string })).rejects.toMatchObject({ issues: [{ path: 'text' }] })
      await expect(memory.store({ text: 'x'.repeat(65_536) })).rejects.toThrow('has 65569 bytes as a line, a note may have 65536')
      expect(await workspace.exists(FILE)).toBe(false)
    })

    test('keeps lone surrogates', async ({ memory, reopen }) => {
      await memory.store({ text: 'half \ud83d pair' })
      expect(await reopen().memory.recall({ query: 'half' })).toMatchObject([{ text: 'half \ud83d pair' }])
    })
  })

  describe('forget', () => {
    test('removes the line from the file', async ({ memory, file, workspace }) => {
      await workspace.writeText(FILE, 'not JSON\n')
      await memory.store({ key: 'secret', text: 'the code is 1234' })
      await memory.store({ key: 'other', text: 'stays' })
      expect(await memory.forget('secret')).toBe(true)
      expect(await memory.forget('secret')).toBe(false)
      expect(await file()).toBe(`not JSON\n{"time":${START},"key":"other","text":"stays"}\n`)
    })

    test('forgetting an unknown key changes nothing', async ({ memory, workspace }) => {
      expect(await memory.forget('nothing')).toBe(false)
      expect(await workspace.files()).toEqual({})
    })
  })

  describe('recall', () => {
    test('returns nothing from an empty memory', async ({ memory }) => {
      expect(await memory.recall({ query: 'tea' })).toEqual([])
    })

    test('ranks the best match first, and rare terms above common ones', async ({ memory, texts }) => {
      for (const text of ['the cat sat', 'the dog and the cat', 'the parrot', 'nothing here']) await memory.store({ text })
      expect(await texts('the parrot')).toEqual(['the parrot', 'the dog and the cat', 'the cat sat'])
      expect(await memory.recall({ query: 'the cat', limit: 2 })).toEqual([
        { text: 'the cat sat', createdMs: START, score: 0.714 },
        { text: 'the dog and the cat', createdMs: START, score: 0.674 },
      ])
    })

    test('searches keys', async ({ memory, texts }) => {
      await memory.store({ key: 'favourite_drink', text: 'green tea' })
      await memory.store({ text: 'coffee in the morning' })
      expect(await texts('drink')).toEqual(['green tea'])
    })

    it.each([
      ['case', 'TEA', 'green tea'],
      ['accents', 'creme brulee', 'Crème brûlée'],
      ['accents in the query', 'café', 'the cafe'],
      ['decomposed characters', 'cafe\u0301', 'the café'],
      ['width', 'ＡＢＣ', 'abc'],
      ['the final sigma', 'ΟΔΌΣ', 'οδος'],
      ['a dotted capital', 'istanbul', 'İstanbul'],
      ['Chinese, by character', '北京', '我住在北京'],
      ['Japanese, by character', '東京タワー', '東京へ行った'],
      ['Korean, by character', '서울', '나는 서울에 산다'],
      ['Thai, by character', 'ไทย', 'ภาษาไทย'],
      ['Hindi', 'चाय', 'मुझे चाय पसंद है'],
      ['digits', '1234', 'the code is 1234.'],
      ['a pictogram', '🎉', 'party 🎉!'],
    ])('folds %s', (_, query, text) =>
      withBench({}, async ({ memory, texts }) => {
        await memory.store({ text: 'unrelated' })
        await memory.store({ text })
        expect(await texts(query)).toEqual([text])
      }),
    )

    test('returns nothing for a query without letters, and matches only whole words', async ({ memory, texts }) => {
      await memory.store({ text: 'what? a teapot (blue)' })
      expect(await texts('?!')).toEqual([])
      expect(await texts('tea')).toEqual([])
    })

    test('returns the newest five notes for a blank query', async ({ memory, host, texts }) => {
      for (let i = 0; i < 7; i++) {
        await memory.store({ text: `note ${i}` })
        if (i !== 3) await host.advance(1000)
      }
      expect(await texts('')).toEqual(['note 6', 'note 5', 'note 4', 'note 3', 'note 2'])
      expect(await texts(' \n', 2)).toEqual(['note 6', 'note 5'])
      expect((await memory.recall({ query: '' }))[0]).toEqual({ text: 'note 6', createdMs: START + 5000 })
      expect(await texts('note', 3)).toEqual(['note 6', 'note 5', 'note 4'])
      expect([await texts('', 0), await texts('', -1), await texts('', 1.9)]).toEqual([[], [], ['note 6']])
    })

    test('filters by `sinceMs` and `untilMs`, inclusive', async ({ memory, host }) => {
      for (const text of ['day one', 'day two', 'day three']) {
        await memory.store({ text })
        await host.advance(DAY)
      }
      const texts = async (sinceMs?: number, untilMs?: number): Promise<readonly string[]> =>
        (await memory.recall({ query: 'day', sinceMs, untilMs })).map(({ text }) => text)
      expect(await texts(START + DAY)).toEqual(['day three', 'day two'])
      expect(await texts(undefined, START + DAY)).toEqual(['day two', 'day one'])
      expect(await texts(START + 1, START + DAY)).toEqual(['day two'])
      expect(await texts(START + 9 * DAY)).toEqual([])
    })

    test('skips unreadable lines', async ({ memory, workspace, texts }) => {
      const lines = [
        '\ufeff{"time":1,"text":"first"}\r',
        '',
        'null',
        '[]',
        '"text"',
        '{"text":"no time"}',
        '{"time":"1","text":"bad time"}',
        '{"time":1e999,"text":"endless time"}',
        '{"time":2,"text":["list"]}',
        '{"time":3,"key":7,"category":{},"text":"fields of other types are left out"}',
        '{"time":4,"text":"__proto__","__proto__":{"key":"x"}}',
        '{"time":5,"text":"cut',
      ]
      const bytes = new TextEncoder().encode(lines.join('\n'))
      await workspace.writeBytes(FILE, new Uint8Array([...bytes, 10, 0xff, 0xfe, 0, 10]))
      expect(await texts('', 99)).toEqual(['__proto__', 'fields of other types are left out', 'first'])
      await memory.store({ key: 'k', text: 'new' })
      await memory.forget('k')
      const { bytes: after } = await workspace.readBytes(FILE)
      expect([...after]).toEqual([...bytes, 10, 0xff, 0xfe, 0, 10])
    })

    test('sees notes that others write', async ({ memory, workspace, reopen, texts }) => {
      await memory.store({ key: 'a', text: 'one' })
      expect(await texts('')).toEqual(['one'])
      await reopen().memory.store({ text: 'two' })
      expect((await texts('')).toSorted()).toEqual(['one', 'two'])
      await workspace.remove(FILE)
      expect(await texts('')).toEqual([])
    })
  })

  test('works after reopening', async ({ memory, workspace, reopen }) => {
    await memory.store({ key: 'name', text: 'Ada', category: 'core' })
    await memory.store({ text: 'likes tea' })
    await workspace.flush()
    const again = reopen().memory
    expect(await again.recall({ query: 'ada' })).toEqual([{ key: 'name', text: 'Ada', category: 'core', createdMs: START, score: 0.714 }])
    expect(await again.forget('name')).toBe(true)
    expect(await reopen().memory.recall({ query: '' })).toEqual([{ text: 'likes tea', createdMs: START }])
  })

  describe('limits', () => {
    test(
      'an exceeded number of notes is reported, and forgetting one allows another',
      async ({ memory }) => {
        await memory.store({ key: 'a', text: 'one' })
        await memory.store({ text: 'two' })
        await expect(memory.store({ text: 'three' })).rejects.toThrow(
          'ENOSPC: Cannot add to "/workspace/.toolport/memory.jsonl": the memory is full, it holds 2 notes: forget some first',
        )
        await memory.store({ key: 'a', text: 'uno' })
        await memory.forget('a')
        await memory.store({ text: 'three' })
        expect(await memory.recall({ query: '' })).toHaveLength(2)
      },
      { maxEntries: 2 },
    )

    test(
      'an exceeded byte limit is reported before anything is written',
      async ({ memory, file }) => {
        await memory.store({ key: 'a', text: 'x'.repeat(50) })
        const before = await file()
        await expect(memory.store({ text: 'y'.repeat(60) })).rejects.toThrow('it would have 186 bytes, more than 120')
        await expect(memory.store({ key: 'a', text: 'y'.repeat(90) })).rejects.toMatchObject({ code: 'ENOSPC' })
        expect(await file()).toBe(before)
        expect(await memory.recall({ query: '' })).toHaveLength(1)
      },
      { maxBytes: 120 },
    )

    test(
      'limits apply to a file that others wrote',
      async ({ memory, workspace }) => {
        await workspace.writeText(FILE, 'x'.repeat(121))
        const words =
          'EFBIG: Cannot recall from "/workspace/.toolport/memory.jsonl": it has 121 bytes, a memory may have 120: shorten it, or move it away'
        await expect(memory.recall({ query: '' })).rejects.toThrow(words)
        await expect(memory.store({ text: 'a' })).rejects.toThrow(words)
        await expect(memory.forget('a')).rejects.toThrow(words)
      },
      { maxBytes: 120 },
    )

    it('are rejected if invalid', () => {
      expect(() => createWorkspaceMemory({ maxEntries: 0 })).toThrow(
        new RangeError('Cannot create a memory: maxEntries is 0, expected a whole number above 0'),
      )
      expect(() => createWorkspaceMemory({ maxBytes: 1.5 })).toThrow(RangeError)
    })

    test('allow a thousand notes and a query of a hundred thousand terms', async ({ memory, texts }) => {
      for (let i = 0; i < 1000; i++) await memory.store({ text: `note number ${i} about topic${i % 10}` })
      expect(await texts('number 7', 1)).toEqual(['note number 7 about topic7'])
      expect(await memory.recall({ query: 'x y '.repeat(50_000), limit: 1 })).toEqual([])
    })
  })

  describe('the workspace of a memory', () => {
    test('applies its path rules', async ({ reopen }) => {
      const rule = { paths: '.toolport/**', action: 'deny', reason: 'private' } as const
      const { memory } = reopen({}, { policy: { paths: [rule] } })
      await expect(memory.recall({ query: '' })).rejects.toMatchObject({ code: 'EACCES' })
      await expect(memory.store({ text: 'x' })).rejects.toMatchObject({ code: 'EACCES' })
      expect(() => reopen({ path: '../out.jsonl' })).toThrow(expect.objectContaining({ code: 'path_outside_workspace' }))
      expect(() => reopen({ path: '/etc/notes' })).toThrow(expect.objectContaining({ code: 'path_outside_workspace' }))
    })

    test('can be read-only for recall', async ({ memory, reopen }) => {
      await memory.store({ key: 'a', text: 'one' })
      const locked = reopen({}, { policy: { readOnly: true } }).memory
      expect(await locked.recall({ query: 'one' })).toHaveLength(1)
      await expect(locked.store({ text: 'two' })).rejects.toMatchObject({ code: 'EROFS' })
      await expect(locked.forget('a')).rejects.toMatchObject({ code: 'EROFS' })
    })

    test('counts the memory in its quotas', async ({ reopen }) => {
      const { memory } = reopen({}, { quotas: { bytes: 100 } })
      await memory.store({ text: 'short' })
      await expect(memory.store({ text: 'x'.repeat(100) })).rejects.toMatchObject({ code: 'ENOSPC' })
      expect(await memory.recall({ query: '' })).toHaveLength(1)
    })

    test('stores the memory at a path relative to the root', async ({ reopen, workspace }) => {
      await workspace.mkdir('sub')
      await reopen({ path: 'notes/me.jsonl' }, { cwd: '/workspace/sub' }).memory.store({ text: 'a' })
      await reopen({ path: '/workspace/b.jsonl' }).memory.store({ text: 'b' })
      expect(Object.keys(await workspace.files()).toSorted()).toEqual(['b.jsonl', 'notes/me.jsonl'])
    })

    test('shows the memory as a hidden file in walks', async ({ memory, workspace }) => {
      await memory.store({ text: 'a' })
      const seen = async (hidden: boolean): Promise<readonly string[]> => {
        const paths: string[] = []
        for await (const run of workspace.walk('.', { hidden })) paths.push(...run.map(({ path }) => path))
        return paths
      }
      expect(await seen(true)).toContain(`/workspace/${FILE}`)
      expect(await seen(false)).toEqual([])
    })
  })

  describe('an abort', () => {
    test('an abort before the call prevents it', async ({ memory, workspace }) => {
      const signal = AbortSignal.abort(new Error('enough'))
      await expect(memory.recall({ query: '', signal })).rejects.toThrow('enough')
      await expect(memory.store({ text: 'a', signal })).rejects.toThrow('enough')
      await expect(memory.forget('a', { signal })).rejects.toThrow('enough')
      expect(await workspace.files()).toEqual({})
    })

    test('an abort while the call waits for a lock prevents it', async ({ memory, workspace }) => {
      const controller = new AbortController()
      const gate = deferred()
      const began = deferred()
      const held = workspace.locked([FILE], async () => {
        began.resolve()
        await gate.promise
      })
      await began.promise
      const storing = memory.store({ text: 'a', signal: controller.signal })
      storing.catch(() => {})
      controller.abort(new Error('enough'))
      gate.resolve()
      await held
      await expect(storing).rejects.toThrow('enough')
      expect(await workspace.exists(FILE)).toBe(false)
    })

    test('stops a long recall', async ({ workspace, memory }) => {
      const line = `${JSON.stringify({ time: 1, text: 'word '.repeat(200) })}\n`
      await workspace.writeText(FILE, line.repeat(5000))
      const controller = new AbortController()
      const recalling = memory.recall({ query: 'word', signal: controller.signal })
      setTimeout(() => controller.abort(new Error('enough')), 0)
      await expect(recalling).rejects.toThrow('enough')
    })
  })
}
