// @module-tag apply-patch
import { createRuntime, type FsAdapter, FsError, fileTools } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type FaultOperation, type Faults, forEachFault, withFaults } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import scenarios from '../fixtures/patches/scenarios.json' with { type: 'json' }
import { slowFs } from '../workspace/slow-fs.js'
import { bench, benchOver, utf8 } from './harness.js'

interface Scenario {
  readonly name: string
  readonly input: Readonly<Record<string, string>>
  readonly patch: string
  readonly expected: Readonly<Record<string, string>>
  readonly directories?: readonly string[]
  readonly fails?: boolean
  readonly atomic?: boolean
  /** The resulting files with the standard preset, where they differ from what a preset's document expects. */
  readonly standard?: Readonly<Record<string, string>>
}

const envelope = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')
const update = (path: string, ...lines: string[]): string => envelope(`*** Update File: ${path}`, ...lines)

describe('apply_patch: scenarios of the format cap:73', () => {
  it.each(
    (scenarios as readonly unknown[] as readonly Scenario[]).flatMap((scenario) =>
      [true, false].map((atomic) => ({ ...scenario, expected: scenario.standard ?? scenario.expected, atomic, only: scenario.atomic })),
    ),
  )('$name, atomic $atomic', async ({ input, patch, expected, directories, fails, atomic, only }) => {
    const { run, files, runtime } = bench(input)
    const result = await run('apply_patch', { patch, atomic })
    expect(result.ok).toBe(fails !== true)
    expect(await files()).toEqual(only === undefined || only === atomic ? expected : input)
    const top = (await runtime.workspace.list('.')).filter(({ kind }) => kind === 'dir').map(({ name }) => name)
    if (directories) expect(top).toEqual(directories)
  })
})

it('rejects a binary diff for a text file, and a name that differs only in Unicode form', async () => {
  const before = { 'a.txt': 'one\n', 'caf\u00e9.txt': 'two\n' }
  const { fail, files } = bench(before)
  for (const patch of [update('a.txt', '-one', '+o\0ne'), envelope('*** Add File: b.txt', '+\0')])
    expect(await fail('apply_patch', { patch })).toMatchObject({ output: { code: 'invalid_input' }, error: expect.stringContaining('NUL') })
  expect(await fail('apply_patch', { patch: envelope('*** Add File: cafe\u0301.txt', '+three') })).toMatchObject({
    output: { code: 'EEXIST' },
    error: expect.stringContaining('Unicode form'),
  })
  expect(await files()).toEqual(before)
})

it('applies several sections to one file, each to the result of the one before', async () => {
  const { ok, fail, files } = bench({ f: 'a\r\nb\r\nc', g: 'g\n' })
  const section = (path: string, old: string, fresh: string): string[] => [`*** Update File: ${path}`, '@@', `-${old}`, `+${fresh}`]
  const patch = envelope(
    ...section('f', 'a', 'x'),
    ...section('f', 'x', 'y'),
    ...section('g', 'g', 'h'),
    ...section('f', 'c', 'y'),
    ...section('g', 'h', 'i'),
  )
  await ok('apply_patch', { patch })
  expect(await files()).toEqual({ f: 'y\r\nb\r\ny', g: 'i\n' })
  const { output } = await fail('apply_patch', { patch: envelope(...section('f', 'b', 'y'), ...section('f', 'y', 'z')) })
  expect(output).toMatchObject({ code: 'ambiguous_match', candidates: [1, 2, 3] })
})

it('treats a git section without hunks and a following plain section as two files', async () => {
  const g = '--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n'
  const patched = async (head: string): Promise<unknown> => {
    const { ok, files } = bench({ f: '', g: 'x\n' })
    await ok('apply_patch', { patch: `diff --git a/f b/${head}${g}` })
    return files()
  }
  expect(await patched('h\nsimilarity index 100%\nrename from f\nrename to h\n')).toEqual({ h: '', g: 'y\n' })
  expect(await patched('h\nsimilarity index 100%\ncopy from f\ncopy to h\n')).toEqual({ f: '', h: '', g: 'y\n' })
  expect(await patched('f\ndeleted file mode 100644\nindex e69de29..0000000\n')).toEqual({ g: 'y\n' })
  expect(await patched('f\nold mode 100644\nnew mode 100755\n')).toEqual({ f: '', g: 'y\n' })
  const { ok, files } = bench({ g: 'x\n' })
  await ok('apply_patch', { patch: `diff --git a/f b/f\nnew file mode 100644\nindex 0000000..e69de29\n${g}` })
  expect(await files()).toEqual({ f: '', g: 'y\n' })
})

it.each([true, false])('rejects an inconsistent patch without losing a file, atomic %s', async (atomic) => {
  const start = { f: 'x\n', g: 'y\n', 'g.orig': 'y\n' }
  const { fail, files } = bench(start)
  const moved = 'diff --git a/f b/g.orig\nrename from f\nrename to g.orig\n--- a/f\n+++ b/g.orig\n@@ -1 +1 @@\n-x\n+X\n'
  const gone = '--- g.orig\t2024-01-01 00:00:00\n+++ g\t1970-01-01 00:00:00.000000000 +0000\n@@ -1 +0,0 @@\n-y\n'
  expect((await fail('apply_patch', { patch: moved + gone, atomic })).output.code).toBe('EEXIST')
  const { error } = await fail('apply_patch', { patch: '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+x\n', atomic })
  expect(error).toContain('it changes no file')
  expect(await files()).toEqual(start)
})

it('reports that an earlier section changed the lines or deleted the file', async () => {
  const { fail } = bench({ f: 'a\nb\nc\n' })
  const twice = envelope('*** Update File: f', '@@', ' a', '-b', '+B', '*** Update File: f', '@@', ' b', '-c', '+C')
  const hint = 'An earlier section of the patch changes this file: use the lines as they are after that section.'
  expect((await fail('apply_patch', { patch: twice })).output.hint).toBe(hint)
  const kept = bench({ f: 'a\nb\nc\n' })
  expect((await kept.fail('apply_patch', { patch: twice, atomic: false })).output).toMatchObject({ hint, applied: ['/workspace/f'] })
  expect(await kept.files()).toEqual({ f: 'a\nB\nc\n' })
  const deleted = envelope('*** Delete File: f', '*** Update File: f', '@@', '-a', '+A')
  expect((await fail('apply_patch', { patch: deleted })).output.hint).toContain('The patch already deletes this file')
})

describe('the result of apply_patch', () => {
  it('lists every change in order, with a diff that can be applied again cap:75', async () => {
    const start = { 'a.txt': 'one\ntwo\n', 'b.txt': 'x\n', 'c.txt': 'move me\n' }
    const patch = envelope(
      '*** Update File: a.txt',
      '@@',
      ' one',
      '-two',
      '+zwei',
      '*** Add File: new.txt',
      '+hi',
      '*** Delete File: b.txt',
      '*** Update File: c.txt',
      '*** Move to: d/c.txt',
      '@@',
      '-move me',
      '+moved',
    )
    const { ok, files } = bench(start)
    const output = await ok('apply_patch', { patch })
    expect(output.changes).toEqual([
      { kind: 'update', path: '/workspace/a.txt' },
      { kind: 'add', path: '/workspace/new.txt' },
      { kind: 'delete', path: '/workspace/b.txt' },
      { kind: 'move', path: '/workspace/d/c.txt', from: '/workspace/c.txt' },
    ])
    const after = { 'a.txt': 'one\nzwei\n', 'new.txt': 'hi\n', 'd/c.txt': 'moved\n' }
    expect(await files()).toEqual(after)
    const again = bench(start)
    await again.ok('apply_patch', { patch: output.diff })
    expect(await again.files()).toEqual(after)
  })

  it('shows a model one line per file', async () => {
    const { read } = bench({ f: 'a \nb\n', g: '1\n' })
    const patch = envelope('*** Update File: f', '@@', '-a', '+c', '*** Add File: g', '+2')
    expect(await read('apply_patch', { patch })).toBe(`Updated /workspace/f (matched with tolerance: trailing_space)
Added /workspace/g (overwrote the destination)
--- a/f
+++ b/f
@@ -1,2 +1,2 @@
-a${' '}
+c
 b
--- a/g
+++ b/g
@@ -1 +1 @@
-1
+2
`)
  })

  it('changes nothing in a dry run', async () => {
    const { ok, read, files } = bench({ f: 'a\n' })
    const patch = update('f', '@@', '-a', '+b')
    expect(await ok('apply_patch', { patch, dry_run: true })).toMatchObject({ dry_run: true, changes: [{ kind: 'update' }] })
    expect(await read('apply_patch', { patch, dry_run: true, atomic: false })).toContain('Dry run, nothing changed')
    expect(await files()).toEqual({ f: 'a\n' })
  })

  it('truncates a long diff', async () => {
    const { ok } = bench()
    const sections = Array.from({ length: 40 }, (_, i) => [
      `*** Add File: f${i}`,
      ...Array.from({ length: 100 }, () => '+some content here'),
    ])
    const { changes, diff } = await ok('apply_patch', { patch: envelope(...sections.flat()) })
    expect(changes).toHaveLength(40)
    expect(utf8(diff).length).toBeLessThan(33 * 1024)
    expect(diff).toContain('more files left out]')
  })
})

describe('the hint of a failed apply_patch', () => {
  const start = { a: '1\n2\n', 'd/x': 'x\n', 'caf\u00e9.txt': '1\n' }
  const one = (...lines: string[]): string => update('a', ...lines)
  const gone = 'diff --git a/a b/a\ndeleted file mode 100644\n'

  it.each([
    ['hunks in another order', one('@@', '-2', '+x', '@@', '-1', '+y'), 'Order the hunks and their @@ lines as in the file.'],
    ['a name in quotes', envelope('*** Update File: "d/x"', '@@', '-x', '+y'), 'Remove the quotes around the name: d/x'],
    ['a name in quotes to delete', envelope('*** Delete File: `d/x`'), 'Remove the quotes around the name: d/x'],
    [
      'a diff between two missing names',
      '--- old\n+++ new\n@@ -1 +1 @@\n-1\n+x\n',
      'Check the path: list the directory, or search for the name.',
    ],
    ['two hunks of one line', one('@@', '-1', '+x', '@@', '-1', '+y'), 'Merge the two hunks, or remove one.'],
    ['@@ lines in another order', one('@@ 2', '@@ 1', '+x'), 'Order the hunks and their @@ lines as in the file.'],
    ['lines above their @@ line', one('@@ 2', '-1', '+x'), "Use an @@ line from above these lines, or '@@' alone."],
    ['a new file without +', envelope('*** Add File: n', 'text'), "Begin each line of a new file with '+', also empty lines."],
    [
      'a new file with a blank line, in a heredoc',
      `cat <<EOF\n${envelope('*** Add File: n', '+a', '', '+b')}\nEOF`,
      "Begin each line of a new file with '+', also empty lines.",
    ],
    [
      'the old name of a moved file',
      envelope('*** Update File: a', '*** Move to: b', '*** Update File: a', '@@', '-1', '+x'),
      'The patch already moves this file: use "b" in later sections.',
    ],
    [
      'a file and a directory of the same name, with a new directory',
      `${gone}--- a/a\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n--- /dev/null\n+++ b/a/x\n@@ -0,0 +1 @@\n+x\n`,
      'The patch uses one name for a file and a directory: send two patches, and remove the old entry in the first.',
    ],
    [
      'a file and a directory of the same name, with a new file',
      envelope('*** Delete File: d/x', '*** Add File: d', '+x'),
      'The patch uses one name for a file and a directory: send two patches, and remove the old entry in the first.',
    ],
    ['no space after @@', one('@@1', '-2', '+x'), "Write '@@ 1', with a space after @@."],
    ['dots after @@', one('@@...', '-2', '+x'), "Write '@@' alone: the file has no line of dots."],
    ['dots as the @@ line', one('@@ ...', '-2', '+x'), "Write '@@' alone: the file has no line of dots."],
    [
      'stars after the first line',
      one('@@', '-1', '+x').replace('Begin Patch', 'Begin Patch ***'),
      "Begin the patch with the line '*** Begin Patch' and nothing after it.",
    ],
    ['stars after the last line', `${one('@@', '-1', '+x')} ***`, "End the patch with the line '*** End Patch' and nothing after it."],
    ['no end line', one('@@', '-1', '+x').replace('\n*** End Patch', ''), "End the patch with the line '*** End Patch'."],
    [
      'a diff in a code fence with prose',
      'This:\n```\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+x\n```\nDone\n',
      'Pass only the patch, without a code fence or surrounding text.',
    ],
    [
      'an envelope in a code fence',
      `This:\n\`\`\`\n${one('@@', '-1', '+x')}\n\`\`\``,
      'Pass only the patch, without a code fence or surrounding text.',
    ],
    ...[
      ['*** Update File: a', 'diff --git a/a b/a', 'index 1111111..2222222 100644', '--- a/a', '+++ b/a', '@@ -1 +1 @@', '-1', '+x'],
      ['diff --git a/a b/a', '--- a/a', '+++ b/a', '@@ -1 +1 @@', '-1', '+x'],
      ['*** Update File: a', '--- a/a', '+++ b/a', '@@ -1 +1 @@', '-1', '+x'],
      ['--- a/a', '+++ b/a', '@@ -1 +1 @@', '-1', '+x'],
    ].map((lines) => [
      `the headers of a diff in an envelope: ${lines[0]}, ${lines[1]}`,
      envelope(...lines),
      "Use '*** Update File: path' without the header lines of a diff. Or pass only the diff, without '*** Begin Patch' and '*** End Patch'.",
    ]),
    [
      'two envelopes',
      `${one('@@', '-1', '+x')}\n${one('@@', '-2', '+y')}`,
      "Put all sections into one envelope: remove the lines '*** End Patch' and '*** Begin Patch' between them.",
    ],
    ['a name in another Unicode form', envelope('*** Delete File: cafe\u0301.txt'), 'Use the existing path.'],
    ['a deletion that omits lines', gone, "List all lines of the file with '-', or use *** Delete File in an envelope."],
  ])('%s', async (_, patch, hint) => {
    const { fail, files } = bench(start)
    expect((await fail('apply_patch', { patch })).output.hint).toBe(hint)
    expect(await files()).toEqual(start)
  })

  it.each([
    'diff --cc a\nindex 1,2..3\n--- a/a\n+++ b/a\n@@@ -1,1 -1,1 +1,1 @@@\n- 1\n++x\n',
    '--- a/a\n+++ b/a\n@@@ -1,1 -1,1 +1,1 @@@\n- 1\n++x\n',
  ])('asks for the diff against one parent in place of a merge diff', async (patch) => {
    expect((await bench(start).fail('apply_patch', { patch })).error).toContain('pass the diff against one parent')
  })

  it('shows lines that differ only in Unicode form or indentation', async () => {
    const { fail } = bench({ f: 'x\ncafe\u0301\n', g: '\ta()\n\tb()\n' })
    const form = 'Line 2 is the closest match and differs in Unicode form (NFC, NFD): line 2 has "cafe\\u0301", old text has "caf\\u00e9"'
    expect((await fail('apply_patch', { patch: envelope('*** Update File: f', '@@', '-caf\u00e9', '+y') })).error).toContain(form)
    const { error } = await fail('edit_file', { path: 'g', edits: [{ old_string: '    a()\n    b()', new_string: 'q' }] })
    expect(error).toContain('Lines 1-2 are the closest match and differ in indentation: it indents with tabs')
  })

  it('is the existing spelling of a name', async () => {
    for (const lines of [
      ['*** Delete File: cafe\u0301.txt'],
      ['*** Update File: cafe\u0301.txt', '@@', '-1', '+x'],
      ['*** Update File: cafe\u0301.txt', '*** Move to: n'],
    ])
      expect((await bench(start).fail('apply_patch', { patch: envelope(...lines) })).error).toContain('caf\\u00e9.txt" exists')
  })
})

describe('apply_patch with unified diffs', () => {
  it('applies changes, renames, copies, new and deleted files and quoted names of git cap:73 cap:75', async () => {
    const { ok, files } = bench({
      'src/a.ts': 'one\ntwo\nthree\n',
      'old name.txt': 'same\n',
      gone: 'x\n',
      tmpl: 'T\n',
      'sp"q.txt': 'q\n',
      void: '',
    })
    const { changes } = await ok('apply_patch', {
      patch: `From 0123 Mon Sep 17 00:00:00 2001
Subject: [PATCH] a mail
---
 src/a.ts | 2 +-

diff --git a/src/a.ts b/src/a.ts
index 1111111..2222222 100755
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@ function x() {
 one
-two
+zwei
 three
diff --git a/old name.txt b/new name.txt
similarity index 100%
rename from old name.txt
rename to new name.txt
diff --git a/gone b/gone
deleted file mode 100644
index 587be6b..0000000
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/bare b/bare
new file mode 100644
index 0000000..e69de29
diff --git a/tmpl b/made
similarity index 60%
copy from tmpl
copy to made
--- a/tmpl
+++ b/made
@@ -1 +1,2 @@
 T
+more
diff --git "a/sp\\"q.txt" "b/sp\\"q.txt"
--- "a/sp\\"q.txt"
+++ "b/sp\\"q.txt"
@@ -1 +1 @@
-q
+Q
diff --git "a/n\\303\\251.txt" "b/n\\303\\251.txt"
new file mode 100644
--- /dev/null
+++ "b/n\\303\\251.txt"
@@ -0,0 +1 @@
+e
\\ No newline at end of file
diff --git a/void b/void
deleted file mode 100644
--${' '}
2.39.5
`,
    })
    expect(changes.map(({ kind }: { kind: string }) => kind)).toEqual(['update', 'move', 'delete', 'add', 'add', 'update', 'add', 'delete'])
    expect(await files()).toEqual({
      'src/a.ts': 'one\nzwei\nthree\n',
      'new name.txt': 'same\n',
      bare: '',
      tmpl: 'T\n',
      made: 'T\nmore\n',
      'sp"q.txt': 'Q\n',
      'né.txt': 'e',
    })
  })

  it.each([
    ['plain diff -u with dates', '--- f\t2024-01-01 10:00:00\n+++ f\t2024-01-02 10:00:00\n@@ -1 +1 @@\n-a\n+b\n'],
    ['a backup as its old name', '--- f.orig\n+++ f\n@@ -1 +1 @@\n-a\n+b\n'],
    ['svn and jsdiff', `Index: f\n${'='.repeat(67)}\n--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n+b\n`],
    ['wrong counts', '--- a/f\n+++ b/f\n@@ -1,9 +1,7 @@\n-a\n+b\n'],
    ['wrong line numbers', '--- a/f\n+++ b/f\n@@ -70 +70 @@\n-a\n+b\n'],
    ['no line numbers', '--- a/f\n+++ b/f\n@@ ... @@\n-a\n+b\n'],
    ['a code fence', '```diff\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n```'],
    ['CRLF from the transport', '--- a/f\r\n+++ b/f\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n'],
    ['absolute paths', '--- /workspace/f\n+++ /workspace/f\n@@ -1 +1 @@\n-a\n+b\n'],
  ])('accepts one with %s', async (_, patch) => {
    const { ok, files } = bench({ f: 'a\n' })
    await ok('apply_patch', { patch })
    expect(await files()).toEqual({ f: 'b\n' })
  })

  it.each([
    ['a new file that exists', '--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+b\n', 'EEXIST'],
    ['a rename onto a file', 'diff --git a/f b/g\nrename from f\nrename to g\n', 'EEXIST'],
    ['a deletion that omits lines', '--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n', 'no_match'],
    ['a link', 'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+f\n', 'invalid_input'],
    ['an existing link', 'diff --git a/f b/f\nindex 1..2 120000\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n', 'invalid_input'],
    ['a binary file', 'diff --git a/i b/i\nindex 1..2 100644\nBinary files a/i and b/i differ\n', 'invalid_input'],
    ['only a mode change', 'diff --git a/f b/f\nold mode 100644\nnew mode 100755\n', 'invalid_input'],
    ['two names that both exist', '--- g\n+++ f\n@@ -1 +1 @@\n-a\n+b\n', 'invalid_input'],
    ['two names that both do not exist', '--- x\n+++ y\n@@ -1 +1 @@\n-a\n+b\n', 'ENOENT'],
    ['a rename of a name with a trailing space', 'diff --git a/f  b/h\nrename from f \nrename to h\n', 'ENOENT'],
    ['a binary file between others', '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\nBinary files a/i and b/i differ\n', 'invalid_input'],
    ['a rename onto a file that another part moves', `${renamed('f', 'g')}-- \n2.40\n\n${renamed('g', 'h')}`, 'EEXIST'],
    ['two renames onto one file', renamed('f', 'g') + renamed('h', 'g') + renamed('g', 'i'), 'ENOENT'],
  ])('rejects %s', async (_, patch, code) => {
    const start = { f: 'a\nrest\n', g: 'g\n' }
    const { fail, files } = bench(start)
    expect((await fail('apply_patch', { patch })).output.code).toBe(code)
    expect(await files()).toEqual(start)
  })
})

const renamed = (from: string, to: string): string => `diff --git a/${from} b/${to}\nrename from ${from}\nrename to ${to}\n`

describe('apply_patch with diff -ruN', () => {
  const epoch = '1970-01-01 00:00:00.000000000 +0000'
  const east = '1970-01-01 01:00:00.000000000 +0100'
  const now = '2024-05-01 10:00:00.000000000 +0200'
  const both = (name: string, old: string, fresh: string, hunk: string): string =>
    `diff -ruN old/${name} new/${name}\n--- old/${name}\t${old}\n+++ new/${name}\t${fresh}\n${hunk}`
  const patch =
    both('f', now, now, '@@ -1 +1 @@\n-a\n+b\n') +
    both('d/made', epoch, now, '@@ -0,0 +1 @@\n+x\n') +
    both('gone', now, east, '@@ -1 +0,0 @@\n-x\n') +
    'Only in new: img\n'

  it.each([
    ['below the directory', {}],
    ['over the old tree', { old: 'old/' }],
    ['over a tree that has the new name', { old: 'new/' }],
  ])('changes, creates and deletes files %s', async (_, { old = '' }: { old?: string }) => {
    for (const atomic of [true, false]) {
      const { ok, files } = bench({ [`${old}f`]: 'a\n', [`${old}gone`]: 'x\n', other: '' })
      await ok('apply_patch', { patch, atomic })
      expect(await files()).toEqual({ [`${old}f`]: 'b\n', [`${old}d/made`]: 'x\n', other: '' })
    }
  })

  it('keeps a file with remaining lines if only the date says that it is deleted', async () => {
    const { fail, files } = bench({ f: 'a\nb\n' })
    expect((await fail('apply_patch', { patch: both('f', now, epoch, '@@ -1 +0,0 @@\n-a\n') })).output.code).toBe('no_match')
    expect(await files()).toEqual({ f: 'a\nb\n' })
  })

  it('changes a file with the date 1970', async () => {
    const { ok, files } = bench({ f: 'a\n' })
    await ok('apply_patch', { patch: both('f', epoch, epoch, '@@ -1 +1,2 @@\n a\n+b\n') })
    expect(await files()).toEqual({ f: 'a\nb\n' })
  })

  it('creates a missing file from a hunk that starts at nothing', async () => {
    const patch = '--- a/f\n+++ b/f\n@@ -0,0 +1,2 @@\n+x\n+y\n'
    const { ok, fail, files } = bench({})
    expect(await ok('apply_patch', { patch })).toMatchObject({ changes: [{ kind: 'add', path: '/workspace/f' }] })
    expect(await files()).toEqual({ f: 'x\ny\n' })
    // With a second hunk, or with git headers that lack "new file mode", the file must exist, as in git.
    for (const other of [`${patch.replaceAll('/f', '/g')}@@ -1 +4 @@\n+z\n`, `diff --git a/g b/g\n${patch.replaceAll('/f', '/g')}`])
      expect((await fail('apply_patch', { patch: other })).error).toContain('ENOENT')
  })

  it.each([
    ['the old', '--- f\n+++ f.new\n'],
    ['the new', '--- f.before\n+++ f\n'],
    ['the new, with prefixes', '--- a/f.before\n+++ b/f\n'],
    ['the common', '--- one/f\n+++ two/f\n'],
    ['the inner', '--- f\n+++ ../two/f\n'],
  ])('uses %s name if only that file exists', async (_, names) => {
    const { ok, files } = bench({ f: 'a\n' })
    await ok('apply_patch', { patch: `${names}@@ -1 +1 @@\n-a\n+b\n` })
    expect(await files()).toEqual({ f: 'b\n' })
  })

  it('names both files of a diff if both or neither exist', async () => {
    const { fail } = bench({ f: 'a\n', g: 'a\n' })
    const hunk = '@@ -1 +1 @@\n-a\n+b\n'
    expect((await fail('apply_patch', { patch: `--- f\n+++ g\n${hunk}` })).error).toContain(
      'it names "f" after --- and "g" after +++, and both exist. Use the name of the file to change on both lines',
    )
    expect((await fail('apply_patch', { patch: `--- x\n+++ y\n${hunk}` })).error).toContain(
      'neither "x" (after ---) nor "y" (after +++) exists',
    )
  })
})

describe('apply_patch and mode changes', () => {
  const mode = (name: string): string => `diff --git a/${name} b/${name}\nold mode 100644\nnew mode 100755\n`

  it('skips modes of binary and changed files, and lists these files', async () => {
    const bytes = Uint8Array.of(0, 1, 255)
    const { read, files } = bench({ bin: bytes, f: 'a\n' })
    const patch = `${mode('bin')}${mode('f')}--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n`
    expect(await read('apply_patch', { patch })).toContain('Updated /workspace/f\nFile modes were not changed: bin, f\n')
    expect(await files()).toEqual({ bin: bytes, f: 'b\n' })
  })

  it('rejects a patch that only changes modes', async () => {
    const { fail } = bench({ f: 'a\n' })
    expect((await fail('apply_patch', { patch: mode('f') })).error).toContain(
      'it changes only the mode of f, and patches cannot change modes',
    )
  })

  it('rejects mode changes of more than 5,000 files', async () => {
    const { fail } = bench({ f: 'a\n' })
    expect((await fail('apply_patch', { patch: mode('f').repeat(5001) })).error).toContain('it changes more than 5000 files')
  })

  it('rejects the mode change of a missing file, like git', async () => {
    const { fail, files } = bench({ f: 'a\n' })
    const patch = `${mode('none')}${mode('f')}--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n`
    expect((await fail('apply_patch', { patch })).output).toMatchObject({ code: 'ENOENT' })
    expect(await files()).toEqual({ f: 'a\n' })
  })
})

describe('apply_patch with names that become free', () => {
  const moved = (from: string, to: string): string => `*** Update File: ${from}\n*** Move to: ${to}`
  const start = { a: '1\n', b: '2\n', c: '3\n' }
  const removed = (name: string, text: string): string =>
    `diff --git a/${name} b/${name}\ndeleted file mode 100644\n--- a/${name}\n+++ /dev/null\n@@ -1 +0,0 @@\n-${text}\n`
  const added = (name: string): string =>
    `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+new\n`

  it.each([
    [
      'a swap',
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
      { a: '2\n', b: '1\n', c: '3\n' },
    ],
    [
      'a cycle',
      [
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'a'],
      ],
      { a: '3\n', b: '1\n', c: '2\n' },
    ],
    [
      'a chain',
      [
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'd'],
      ],
      { b: '1\n', c: '2\n', d: '3\n' },
    ],
    [
      'a chain in reverse order',
      [
        ['c', 'd'],
        ['b', 'c'],
        ['a', 'b'],
      ],
      { b: '1\n', c: '2\n', d: '3\n' },
    ],
  ] as const)('%s', async (_, moves, expected) => {
    const patches = [moves.map(([from, to]) => renamed(from, to)).join(''), envelope(...moves.map(([from, to]) => moved(from, to)))]
    for (const patch of patches) {
      for (const atomic of [true, false]) {
        const { ok, files } = bench(start)
        const { changes } = await ok('apply_patch', { patch, atomic })
        expect(await files()).toEqual(expected)
        expect(changes).toEqual(moves.map(([from, to]) => ({ kind: 'move', path: `/workspace/${to}`, from: `/workspace/${from}` })))
      }
    }
  })

  it('uses them for changed and new files', async () => {
    const hunk = (name: string, old: string, fresh: string): string => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-${old}\n+${fresh}\n`
    const made = 'diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+new\n'
    for (const atomic of [true, false]) {
      const { ok, files } = bench(start)
      const swap = renamed('b', 'c') + hunk('c', '2', 'two') + renamed('c', 'b') + hunk('b', '3', 'three')
      await ok('apply_patch', { patch: made + renamed('a', 'd') + swap, atomic })
      expect(await files()).toEqual({ a: 'new\n', b: 'three\n', c: 'two\n', d: '1\n' })
    }
  })

  it.each([
    ['moved away', () => renamed('a', 'b') + removed('b', '2'), { b: '1\n', c: '3\n' }],
    ['replaced by a new file', () => added('b') + removed('b', '2'), { ...start, b: 'new\n' }],
    ['deleted first', () => removed('b', '2') + renamed('a', 'b') + added('a'), { a: 'new\n', b: '1\n', c: '3\n' }],
    ['replaced by a copy', () => `diff --git a/a b/b\ncopy from a\ncopy to b\n${removed('b', '2')}`, { ...start, b: '1\n' }],
  ])('uses those of deleted files, %s, in any order', async (_, patch, expected) => {
    for (const atomic of [true, false]) {
      const { ok, files } = bench(start)
      await ok('apply_patch', { patch: patch(), atomic })
      expect(await files()).toEqual(expected)
    }
  })

  it('rejects a name that only an envelope deletes later, and a deletion that does not match', async () => {
    const { fail, ok, files } = bench(start)
    expect((await fail('apply_patch', { patch: renamed('a', 'b') + removed('b', '1') })).output.code).toBe('no_match')
    expect(await files()).toEqual(start)
    // The standard preset applies an envelope's sections one after another.
    await ok('apply_patch', { patch: envelope(moved('a', 'b'), '*** Delete File: b') })
    expect(await files()).toEqual({ c: '3\n' })
  })

  it.each([
    ['two moves', envelope(moved('a', 'd'), moved('b', 'd')), '4 and 2'],
    ['a move over a new file', envelope('*** Add File: d', '+n', moved('a', 'd')), '4 and 2'],
    ['a move over a changed file', envelope('*** Update File: b', '@@', '-2', '+3', moved('a', 'b')), '6 and 2'],
    ['two new files', envelope('*** Add File: d', '+1', '*** Add File: ./d', '+2'), '4 and 2'],
    ['a move onto a name that was moved on', envelope(moved('a', 'b'), moved('c', 'b'), moved('b', 'd')), '4 and 2'],
    ['two renames of a diff', renamed('a', 'd') + renamed('b', 'd'), '4 and 1'],
  ])('rejects %s: a patch does not overwrite its own output', async (_, patch, lines) => {
    const { fail, files } = bench(start)
    const { output, error } = await fail('apply_patch', { patch })
    expect(output.code).toBe('EEXIST')
    expect(error).toContain(`the patch writes it at lines ${lines.split(' and ').reverse().join(' and ')}`)
    expect(output.hint).toContain('Remove one of the two sections')
    expect(await files()).toEqual(start)
  })

  it.each([
    ['of an empty file', 'diff --git a/a b/a\ndeleted file mode 100644\nindex e69de29..0000000\n'],
    ['without hunks', '--- a/a\n+++ /dev/null\n'],
    ['of a part of its lines', removed('l', '1').replaceAll('/l', '/a')],
  ])('rejects a deletion %s if the file has more content', async (_, patch) => {
    for (const content of ['1\n2\n', Uint8Array.of(0, 255)]) {
      const { fail, files, ok } = bench({ a: content })
      expect(['no_match', 'binary_file']).toContain((await fail('apply_patch', { patch })).output.code)
      expect(await files()).toEqual({ a: content })
      await ok('apply_patch', { patch: envelope('*** Delete File: a') })
      expect(await files()).toEqual({})
    }
  })

  it('restores all files when a later section fails', async () => {
    for (const atomic of [true, false]) {
      const { fail, files } = bench(start)
      const patch = envelope('*** Add File: first', '+1', moved('a', 'b'), moved('b', 'a'), '@@', '-nope', '+x')
      await fail('apply_patch', { patch, atomic })
      expect(await files()).toEqual(atomic ? start : { ...start, first: '1\n' })
    }
  })

  it('moves binary files without a hunk', async () => {
    const bytes = Uint8Array.of(0, 255)
    const { ok, files } = bench({ a: bytes })
    await ok('apply_patch', { patch: envelope(moved('a', 'd/b')) })
    expect(await files()).toEqual({ 'd/b': bytes })
  })
})

describe('apply_patch: git sections refer to files as they were before the patch', () => {
  const edit = (path: string, old: string, fresh: string): string =>
    `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${old}\n+${fresh}\n`
  const moved = (kind: 'copy' | 'rename', from: string, to: string): string =>
    `diff --git a/${from} b/${to}\nsimilarity index 100%\n${kind} from ${from}\n${kind} to ${to}\n`

  it.each([
    ['a copy of a file that an earlier section changes', edit('a', '1', '2') + moved('copy', 'a', 'b'), { a: '2\n', b: '1\n' }],
    ['a copy of a file that an earlier section renames', moved('rename', 'a', 'b') + moved('copy', 'a', 'c'), { b: '1\n', c: '1\n' }],
    ['a rename of a file that an earlier section changes', edit('a', '1', '2') + moved('rename', 'a', 'b'), { a: '2\n', b: '1\n' }],
    ['a copy in the next mail of a series', `${edit('a', '1', '2')}-- \n2.40\n\n${moved('copy', 'a', 'b')}`, { a: '2\n', b: '2\n' }],
    ['a rename in the next mail', `${edit('a', '1', '2')}-- \n2.40\n\n${moved('rename', 'a', 'b')}`, { b: '2\n' }],
  ])('%s', async (_, patch, expected) => {
    for (const atomic of [true, false]) {
      const { ok, files } = bench({ a: '1\n' })
      await ok('apply_patch', { patch, atomic })
      expect(await files()).toEqual(expected)
    }
  })
})

describe('apply_patch with several sections for one file', () => {
  it.each([
    ['two updates, the second based on the first', [...section('f', 'a', 'b'), ...section('f', 'b', 'c')], { f: 'c\n', g: 'g\n' }],
    ['deleted and added', ['*** Delete File: f', '*** Add File: f', '+new'], { f: 'new\n', g: 'g\n' }],
    ['added and updated', ['*** Add File: n', '+1', ...section('n', '1', '2')], { f: 'a\n', g: 'g\n', n: '2\n' }],
    ['moved and updated', ['*** Update File: f', '*** Move to: m', '@@', '-a', '+b', ...section('m', 'b', 'c')], { m: 'c\n', g: 'g\n' }],
    ['moved to itself', ['*** Update File: f', '*** Move to: ./f', '@@', '-a', '+b'], { f: 'b\n', g: 'g\n' }],
    ['added and deleted', ['*** Add File: n', '+1', '*** Delete File: n', ...section('f', 'a', 'b')], { f: 'b\n', g: 'g\n' }],
    [
      'swapped',
      [
        '*** Update File: f',
        '*** Move to: t',
        '@@',
        ' a',
        '*** Update File: g',
        '*** Move to: f',
        '@@',
        ' g',
        '*** Update File: t',
        '*** Move to: g',
        '@@',
        ' a',
      ],
      { f: 'g\n', g: 'a\n' },
    ],
  ])('%s', async (_, lines, expected) => {
    for (const atomic of [true, false]) {
      const { ok, files } = bench({ f: 'a\n', g: 'g\n' })
      await ok('apply_patch', { patch: envelope(...lines), atomic })
      expect(await files()).toEqual(expected)
    }
  })

  it('rejects an update after a deletion', async () => {
    const { fail, files } = bench({ f: 'a\n' })
    expect((await fail('apply_patch', { patch: envelope('*** Delete File: f', ...section('f', 'a', 'b')) })).output.code).toBe('ENOENT')
    expect(await files()).toEqual({ f: 'a\n' })
  })

  function section(path: string, old: string, fresh: string): string[] {
    return [`*** Update File: ${path}`, '@@', `-${old}`, `+${fresh}`]
  }
})

describe('apply_patch keeps bytes outside the change', () => {
  it.each([
    ['a byte order mark', '\ufeffa\r\nb\r\n', '\ufeffa\r\nc\r\n'],
    ['mixed endings', 'x\na\r\nb\ny\r\n', 'x\na\r\nc\ny\r\n'],
    ['a missing final newline', 'a\nb\nend', 'a\nc\nend'],
  ])('%s', async (_, before, after) => {
    for (const patch of [update('f', '@@', ' a', '-b', '+c'), '--- a/f\n+++ b/f\n@@ -70,2 +70,2 @@\n a\n-b\n+c\n']) {
      const { ok, files } = bench({ f: before })
      await ok('apply_patch', { patch })
      expect(await files()).toEqual({ f: after })
    }
  })

  it('keeps line ends and byte order mark of a file that an envelope rewrites', async () => {
    const { ok, runtime } = bench({ f: '\ufeffa\r\nb', g: 'a\n' })
    await ok('apply_patch', { patch: envelope('*** Add File: f', '+x', '+y', '*** Add File: g', '+x') })
    expect(await runtime.workspace.readBytes('f')).toMatchObject({ bytes: utf8('\ufeffx\r\ny\r\n') })
    expect(await runtime.workspace.readBytes('g')).toMatchObject({ bytes: utf8('x\n') })
  })

  it.each([true, false])('keeps line ends and byte order mark of a file that an envelope deletes and adds (atomic: %s)', async (atomic) => {
    const { ok, runtime } = bench({ f: '\ufeffa\r\nb' })
    await ok('apply_patch', { patch: envelope('*** Delete File: f', '*** Add File: f', '+x', '+y'), atomic })
    expect(await runtime.workspace.readBytes('f')).toMatchObject({ bytes: utf8('\ufeffx\r\ny\r\n') })
  })

  it.each([
    ['removes the byte order mark', '\ufeffa\nb\n', '-\ufeffa\n+a\n b\n', 'a\nb\n'],
    ['adds a byte order mark', 'a\nb\n', '-a\n+\ufeffa\n b\n', '\ufeffa\nb\n'],
    ['adds a byte order mark in a new first line', 'a\nb\n', '+\ufeffx\n a\n b\n', '\ufeffx\na\nb\n'],
    ['keeps the byte order mark', '\ufeffa\nb\n', '-\ufeffa\n+\ufeffc\n b\n', '\ufeffc\nb\n'],
    ['shows the byte order mark in a context line', '\ufeffa\nb\n', ' \ufeffa\n-b\n+c\n', '\ufeffa\nc\n'],
    ['changes a line below that begins with U+FEFF', 'a\n\ufeffb\n', ' a\n-\ufeffb\n+\ufeffc\n', 'a\n\ufeffc\n'],
    ['adds a byte order mark in the second line', 'a\nb\n', ' a\n-b\n+\ufeffb\n', 'a\n\ufeffb\n'],
  ])('applies a diff that %s', async (_, before, lines, after) => {
    const { ok, runtime } = bench({ f: before })
    await ok('apply_patch', { patch: `--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n${lines}` })
    expect(await runtime.workspace.readBytes('f')).toMatchObject({ bytes: utf8(after) })
  })

  it('treats U+FEFF in a later hunk as a character', async () => {
    const { ok, runtime } = bench({ f: 'a\n\ufeffa\n' })
    await ok('apply_patch', { patch: '--- a/f\n+++ b/f\n@@ -2 +2 @@\n-\ufeffa\n+\ufeffc\n' })
    expect(await runtime.workspace.readBytes('f')).toMatchObject({ bytes: utf8('a\n\ufeffc\n') })
  })

  it('moves a binary file unchanged, and rejects changes to it cap:75', async () => {
    const bytes = Uint8Array.of(0, 1, 2, 255)
    const { ok, fail, files } = bench({ b: bytes })
    expect((await fail('apply_patch', { patch: update('b', '@@', '-a', '+b') })).output.code).toBe('binary_file')
    await ok('apply_patch', { patch: 'diff --git a/b b/c\nrename from b\nrename to c\n' })
    expect(await files()).toEqual({ c: bytes })
  })
})

it.each([
  ['diff --git a/i b/i\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZ\n\n', 'it changes "i", which is binary'],
  ['\x1b[1mdiff --git a/f b/f\x1b[m\n\x1b[1m--- a/f\x1b[m\n', 'it has terminal colors'],
  ['--- a/workspace/f\n+++ b/workspace/f\n@@ -1 +1 @@\n-a\n+b\n', 'but "/workspace/f" exists, and this path repeats the root'],
])('rejects %j and names the mistake', async (patch, message) => {
  expect((await bench({ f: 'a\n' }).fail('apply_patch', { patch })).error).toContain(message)
})

describe('apply_patch with outside paths, links and rules cap:74 cap:103', () => {
  it.each([
    ['update', ['*** Update File: ../x', '@@', '-a', '+b']],
    ['add', ['*** Add File: /etc/x', '+a']],
    ['delete', ['*** Delete File: ../../x']],
    ['move', ['*** Update File: f', '*** Move to: ../f', '@@', '-a', '+b']],
  ])('rejects an attempt to leave the workspace to %s, with and without `atomic`', async (_, lines) => {
    for (const atomic of [true, false]) {
      const { fail, files } = bench({ f: 'a\n' })
      const patch = envelope('*** Add File: first', '+1', ...lines)
      expect((await fail('apply_patch', { patch, atomic })).output.code).toBe('path_outside_workspace')
      expect(await files()).toEqual({ f: 'a\n' })
    }
  })

  it('changes the target of a link, and deletes the link itself', async () => {
    const { ok, files, runtime } = bench({ 'd/f': 'a\n' })
    await runtime.workspace.symlink('d/f', 'l')
    await ok('apply_patch', { patch: update('l', '@@', '-a', '+b') })
    expect(await files()).toEqual({ 'd/f': 'b\n' })
    await ok('apply_patch', { patch: envelope('*** Delete File: l', '*** Add File: l', '+own') })
    expect(await files()).toEqual({ 'd/f': 'b\n', l: 'own\n' })
    await runtime.workspace.symlink('d', 'e')
    await ok('apply_patch', { patch: envelope('*** Update File: e/f', '*** Move to: e/g', '@@', '-b', '+c') })
    expect(await files()).toEqual({ 'd/g': 'c\n', l: 'own\n' })
  })

  it.each([
    ['an envelope', envelope('*** Update File: l', '*** Move to: d/m')],
    ['a diff', renamed('l', 'd/m')],
    ['a chain', envelope('*** Update File: l', '*** Move to: n', '*** Update File: n', '*** Move to: d/m')],
  ])('moves a link itself by %s', async (_, patch) => {
    for (const atomic of [true, false]) {
      const { ok, files, runtime } = bench({ f: 'a\n' })
      await runtime.workspace.symlink('f', 'l')
      const { changes } = await ok('apply_patch', { patch, atomic })
      expect(changes.at(-1)).toMatchObject({ kind: 'move', path: '/workspace/d/m' })
      expect(await files()).toEqual({ f: 'a\n' })
      expect(await runtime.workspace.readlink('d/m')).toBe('f')
      expect((await runtime.workspace.list('.')).map(({ name }) => name).sort()).toEqual(['d', 'f'])
    }
  })

  it('does not turn a link into a file, and restores a moved link', async () => {
    const { ok, fail, files, runtime } = bench(
      { f: 'a\n', 'x.key': 'k\n' },
      { policy: { paths: [{ paths: '*.key', access: 'write', action: 'deny' }] } },
    )
    await runtime.workspace.symlink('f', 'l')
    const moved = ['*** Update File: l', '*** Move to: m']
    await ok('apply_patch', { patch: envelope('*** Update File: l', '*** Move to: l') })
    for (const [patch, code] of [
      [envelope(...moved, '@@', '-a', '+b'), 'ELOOP'],
      ['diff --git a/l b/m\ncopy from l\ncopy to m\n', 'ELOOP'],
      [envelope('*** Update File: l', '*** Move to: f'), 'EEXIST'],
      [envelope(...moved, '*** Update File: m', '@@', '-a', '+b'), 'ELOOP'],
      [envelope(...moved, '*** Add File: l', '+new', '*** Delete File: f', '*** Delete File: x.key'), 'EACCES'],
    ] as const) {
      expect((await fail('apply_patch', { patch })).output.code).toBe(code)
      expect(await files()).toEqual({ f: 'a\n', 'x.key': 'k\n' })
      expect(await runtime.workspace.readlink('l')).toBe('f')
      expect(await runtime.workspace.exists('m')).toBe(false)
    }
  })

  it.each([
    ['a move', envelope('*** Update File: f', '*** Move to: l', '@@', '-a', '+b')],
    ['only a move', envelope('*** Update File: f', '*** Move to: l')],
    ['a rename', renamed('f', 'l')],
    ['a copy', 'diff --git a/f b/l\ncopy from f\ncopy to l\n'],
    ['a new file of a diff', '--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+new\n'],
  ])('rejects writing through a link by %s', async (_, patch) => {
    for (const target of ['t', 'gone', 'f', 'l']) {
      for (const atomic of [true, false]) {
        const { fail, files, runtime } = bench({ f: 'a\n', t: 'target\n' })
        await runtime.workspace.symlink(target, 'l')
        const { output } = await fail('apply_patch', { patch, atomic })
        expect(output.code).toBe(target === 'l' ? 'ELOOP' : 'EEXIST')
        if (target !== 'l') expect(output.hint).toBe('Choose another path, or remove what is there first.')
        expect(await files()).toEqual({ f: 'a\n', t: 'target\n' })
        expect(await runtime.workspace.readlink('l')).toBe(target)
      }
    }
  })

  it('moves a file to the name of a link that the patch deletes', async () => {
    const { ok, files, runtime } = bench({ f: 'a\n', t: 'target\n' })
    await runtime.workspace.symlink('t', 'l')
    await ok('apply_patch', { patch: envelope('*** Delete File: l', '*** Update File: f', '*** Move to: l') })
    expect(await files()).toEqual({ l: 'a\n', t: 'target\n' })
  })

  it('rejects a link that leads outside', async () => {
    const fs = createMemoryFs({ files: { f: 'a\n' } })
    await fs.symlink?.('../../etc/passwd', '/l')
    const { fail, files } = benchOver(createRuntime({ fs, tools: fileTools() }))
    for (const patch of [
      update('l', '@@', '-a', '+b'),
      envelope('*** Add File: l', '+x'),
      envelope(...'*** Update File: f|*** Move to: l|@@|-a|+b'.split('|')),
    ]) {
      expect((await fail('apply_patch', { patch })).output.code).toBe('symlink_escape')
    }
    expect(await files()).toEqual({ f: 'a\n' })
  })

  it('changes nothing in a read-only workspace, but allows a dry run', async () => {
    const { ok, fail, files } = bench({ f: 'a\n' }, { policy: { readOnly: true } })
    const patch = update('f', '@@', '-a', '+b')
    expect((await fail('apply_patch', { patch })).output.code).toBe('EROFS')
    expect(await ok('apply_patch', { patch, dry_run: true })).toMatchObject({ dry_run: true })
    expect(await files()).toEqual({ f: 'a\n' })
  })

  it('reverts earlier files if a rule protects a later one', async () => {
    const { fail, files } = bench(
      { a: '1\n', 'x.key': 's\n' },
      { policy: { paths: [{ paths: '*.key', access: 'write', action: 'deny' }] } },
    )
    const patch = envelope('*** Update File: a', '@@', '-1', '+2', '*** Add File: n/n', '+n', '*** Update File: x.key', '@@', '-s', '+t')
    expect((await fail('apply_patch', { patch })).output.code).toBe('EACCES')
    expect(await files()).toEqual({ a: '1\n', 'x.key': 's\n' })
  })

  it('reverts all files at the quota', async () => {
    const { fail, files, runtime } = bench({ a: '1\n' }, { quotas: { bytes: 20 } })
    const patch = envelope('*** Add File: d/n', '+12345678', '*** Update File: a', '@@', '-1', '+12345678901234567890')
    expect((await fail('apply_patch', { patch })).output.code).toBe('ENOSPC')
    expect(await files()).toEqual({ a: '1\n' })
    expect(await runtime.workspace.exists('d')).toBe(false)
  })
})

describe('apply_patch on files that changed', () => {
  it('rejects any change to a file that changed since it was read', async () => {
    for (const lines of [
      ['*** Update File: f', '@@', '-two', '+x'],
      ['*** Delete File: f'],
      ['*** Add File: f', '+x'],
      ['*** Update File: f', '*** Move to: g', '@@', '-two', '+x'],
    ]) {
      const { ok, fail, files, runtime } = bench({ f: 'one\n' })
      await ok('read_file', { path: 'f' })
      await runtime.workspace.writeText('f', 'two\n')
      expect((await fail('apply_patch', { patch: envelope('*** Add File: n', '+n', ...lines) })).output.code).toBe('ESTALE')
      expect(await files()).toEqual({ f: 'two\n' })
    }
  })

  it('does not require a new read of its own output', async () => {
    const { ok, files } = bench({ f: 'one\n' })
    await ok('read_file', { path: 'f' })
    await ok('apply_patch', { patch: envelope('*** Update File: f', '*** Move to: g', '@@', '-one', '+two') })
    await ok('edit_file', { path: 'g', edits: [{ old_string: 'two', new_string: 'three' }] })
    await ok('apply_patch', { patch: envelope('*** Add File: f', '+new') })
    await ok('apply_patch', { patch: update('f', '@@', '-new', '+newer') })
    expect(await files()).toEqual({ f: 'newer\n', g: 'three\n' })
  })

  it('waits for other writers of the same files', async () => {
    const { runtime, ok, files } = benchOver(createRuntime({ fs: slowFs(createMemoryFs({ files: { f: '0\n' } })), tools: fileTools() }))
    await Promise.all([
      ok('apply_patch', { patch: update('f', '@@', '+p') }),
      ok('write_file', { path: 'f', content: 'w\n', mode: 'append' }),
      ok('apply_patch', { patch: update('f', '@@', '+q') }),
    ])
    expect(
      String((await files()).f)
        .split('\n')
        .sort(),
    ).toEqual(['', '0', 'p', 'q', 'w'])
    await runtime.dispose()
  })
})

it('stops in the middle of long work on abort and changes nothing', async () => {
  const long = 'a line of the file\n'.repeat(400_000)
  const controller = new AbortController()
  const when = ({ method, path }: FaultOperation): boolean => method === 'read' && path === '/long'
  const fs = withFaults(createMemoryFs({ files: { a: '1\n', long } }), { fault: () => controller.abort(), when })
  const { runtime, files } = benchOver(createRuntime({ fs, tools: fileTools() }))
  const patch = envelope('*** Update File: a', '@@', '-1', '+2', '*** Update File: long', '@@', '-nowhere', '+x')
  const pending = runtime.execute({ name: 'apply_patch', input: { patch } }, { signal: controller.signal })
  expect(await pending).toMatchObject({ ok: false, output: { status: 'aborted' } })
  expect((await files()).a).toBe('1\n')
})

describe('apply_patch while another process writes', () => {
  const theirs = new TextEncoder().encode('theirs\n')
  const first = ['*** Update File: a', '@@', '-a', '+A']
  const start = { a: 'a\n', b: 'b\n' }

  it.each([
    ['changes the next file', ['*** Update File: b', '@@', '-b', '+B'], 'b', 'theirs\n', 'ESTALE'],
    ['creates the file to be added', ['*** Add File: n', '+n'], 'n', 'theirs\n', 'EEXIST'],
    ['changes the file to be deleted', ['*** Delete File: b'], 'b', 'theirs\n', 'ESTALE'],
    ['removes the file to be deleted', ['*** Delete File: b'], 'b', undefined, 'ESTALE'],
    ['removes the file to be changed', ['*** Update File: b', '@@', '-b', '+B'], 'b', undefined, 'ESTALE'],
  ])('keeps the change of a process that %s, and reverts the rest', async (_, lines, path, content, code) => {
    const { fs } = meddled((inner) => (content === undefined ? inner.unlink(`/${path}`) : inner.write(`/${path}`, theirs)))
    const { fail, files } = benchOver(createRuntime({ fs, tools: fileTools() }))
    const { output } = await fail('apply_patch', { patch: envelope(...first, ...lines) })
    expect(output.code).toBe(code)
    const { [path as 'b']: __, ...others } = start
    expect(await files()).toEqual({ ...others, ...(content !== undefined && { [path]: content }) })
  })

  it('keeps a file that was changed after the patch wrote it, and names the file', async () => {
    const { fs } = meddled(async (inner) => {
      await inner.write('/a', theirs)
      await inner.unlink('/b')
    })
    const { fail, files } = benchOver(createRuntime({ fs, tools: fileTools() }))
    const { output, error } = await fail('apply_patch', { patch: envelope(...first, '*** Update File: b', '@@', '-b', '+B') })
    expect(output.code).toBe('EIO')
    expect(error).toContain('files that another writer has changed were not restored: check "/workspace/a"')
    expect(await files()).toEqual({ a: 'theirs\n' })
  })

  it.each([
    ['with half of the patch to the old content', 'BB', 'bbbb\n'],
    ['overwritten up to its middle to the old content', 'BBbb\n', 'bbbb\n'],
    ['with other content unchanged', 'what?', 'what?'],
  ])('restores a file %s if the write fails in between', async (_, left, expected) => {
    const inner = createMemoryFs({ files: { a: 'a\n', b: 'bbbb\n' } })
    const fs: FsAdapter = {
      ...inner,
      can: { ...inner.can, atomicReplace: false },
      async write(path, bytes, options) {
        const fails = path === '/b' && bytes[0] === 66
        await inner.write(path, fails ? utf8(left) : bytes, options)
        if (fails) throw new FsError({ code: 'EIO', op: 'write', path })
      },
    }
    const { fail, files } = benchOver(createRuntime({ fs, tools: fileTools() }))
    const patch = envelope(...first, '*** Update File: b', '@@', '-bbbb', '+BBBB')
    const { error } = await fail('apply_patch', { patch })
    expect(error.includes('were not restored: check "/workspace/b"')).toBe(expected === left)
    expect(await files()).toEqual({ a: 'a\n', b: expected })
  })

  /** A storage that calls `meddle` once, after the tool's first write. */
  function meddled(meddle: (inner: FsAdapter) => Promise<void>): { readonly fs: FsAdapter } {
    const inner = createMemoryFs({ files: start })
    let done = false
    const fs: FsAdapter = {
      ...inner,
      async write(path, bytes, options) {
        await inner.write(path, bytes, options)
        if (done) return
        done = true
        // Waits for the next `lstat`, in which the tool reads the version of the file that it has just written.
        queued = meddle
      },
      async lstat(path) {
        const stat = await inner.lstat(path)
        const now = queued
        queued = undefined
        await now?.(inner)
        return stat
      },
    }
    let queued: typeof meddle | undefined
    return { fs }
  }
})

describe('apply_patch on a failing storage', () => {
  const start = { a: 'a\n', 'd/b': 'b\n', c: 'c\n', z: 'z\n' }
  const patch = envelope(
    '*** Update File: a',
    '@@',
    '-a',
    '+A',
    '*** Add File: new/deep/n',
    '+n',
    '*** Update File: d/b',
    '*** Move to: moved/b',
    '@@',
    '-b',
    '+B',
    '*** Delete File: c',
    '*** Update File: z',
    '@@',
    '-z',
    '+Z',
  )

  it('restores all files after a failure at any point cap:74', async () => {
    const body = async (faults: Faults): Promise<void> => {
      const fs = withFaults(createMemoryFs({ files: start }), faults)
      const { run, files, runtime } = benchOver(createRuntime({ fs, tools: fileTools() }))
      const result = await run('apply_patch', { patch })
      if (faults.fired.length === 0) return expect(result.ok).toBe(true)
      expect(result).toMatchObject({ ok: false, output: { code: 'EIO' } })
      expect(await files()).toEqual(start)
      expect((await runtime.workspace.list('.')).map(({ name }) => name)).toEqual(['a', 'c', 'd', 'z'])
      // The recorded versions of the files are still valid.
      expect((await run('apply_patch', { patch })).ok).toBe(true)
    }
    const { runs, missed } = await forEachFault(body, { faults: [{ fault: 'EIO', when: ({ changes }) => changes }] })
    expect([runs > 7, missed]).toEqual([true, 0])
  })

  it('names the files that could not be restored', async () => {
    let calls = 0
    const fs = withFaults(createMemoryFs({ files: start }), { fault: 'EIO', when: ({ changes }) => changes && ++calls > 3 })
    const { fail } = benchOver(createRuntime({ fs, tools: fileTools() }))
    const { error, output } = await fail('apply_patch', { patch })
    expect(output.code).toBe('EIO')
    expect(error).toContain('check "')
    expect(error).toContain('/workspace/a"')
  })

  it('keeps and lists earlier changes without `atomic` cap:74', async () => {
    const { fail, files } = bench(start)
    const { output, error } = await fail('apply_patch', {
      patch: envelope(
        '*** Update File: a',
        '@@',
        '-a',
        '+A',
        '*** Add File: n/n',
        '+n',
        '*** Update File: d/b',
        '@@',
        '-nope',
        '+B',
        '*** Delete File: c',
      ),
      atomic: false,
    })
    expect(output).toMatchObject({ code: 'no_match', applied: ['/workspace/a', '/workspace/n/n'], not_applied: ['d/b', 'c'] })
    expect(error).toContain('Already applied and kept: /workspace/a, /workspace/n/n. Not applied: d/b, c')
    expect(await files()).toEqual({ ...start, a: 'A\n', 'n/n': 'n\n' })
  })
})
