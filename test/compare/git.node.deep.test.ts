// @module-tag grep
// @module-tag apply-patch
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import fc from '../fast-check.js'
import { isInstalled, Trees } from './programs.js'

/** Number of random cases. Each case starts git, which takes some milliseconds. */
const ROUNDS = 400

describe.skipIf(!isInstalled('git'))('like git', () => {
  const trees = new Trees()
  beforeAll(() => void trees.run('git', ['init', '-q']))

  const name = fc.constantFrom('a', 'b', 'a.log', 'b.log', 'build', 'x y', '.hid', '[a]', 'a#', '!b', 'é', 'aé', '日.log')
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
  const atom = fc.constantFrom(
    ...['a', 'b', '*', '**', '***', '?', '[ab]', '[!a]', '[^b]', '[a-c]', '[[:alpha:]]', '[', ']', '.', '-', '\\', '\\a', '\\*', '\\ '],
    ...[' ', '(', ')', '{a,b}', '+(a)', '.log', '#', '!', '\\!', '\\#', 'é', '\\é', '[aé]', '[!é]', '[à-é]', '日', '[[:nope:]a]'],
  )
  const component = fc.oneof(
    fc.array(atom, { minLength: 1, maxLength: 3 }).map((atoms) => atoms.join('')),
    name,
    fc.constant('**'),
  )
  const rule = fc
    .record({
      start: fc.constantFrom('', '', '', '!', '/', '!/'),
      components: fc.array(component, { minLength: 1, maxLength: 3 }),
      end: fc.constantFrom('', '', '', '/', ' ', '\r'),
    })
    .map(({ start, components, end }) => start + components.join('/') + end)
  const ignoreFile = fc.record({
    folder: fc.oneof(
      fc.constant(''),
      path.map((text) => `${text}/`),
    ),
    text: fc.array(rule, { minLength: 1, maxLength: 6 }).map((rules) => `${rules.join('\n')}\n`),
  })

  /** The files by path, without paths that need a directory where another path has a file. */
  function treeOf(
    paths: readonly string[],
    ignores: readonly { readonly folder: string; readonly text: string }[],
  ): Record<string, string> {
    const files: Record<string, string> = {}
    const isFree = (path: string): boolean =>
      !Object.keys(files).some((other) => other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`))
    for (const path of [...ignores.map(({ folder }) => `${folder}.gitignore`), ...paths])
      if (isFree(path)) files[path] = ignores.find(({ folder }) => `${folder}.gitignore` === path)?.text ?? 'x'
    return files
  }

  it('list_files lists what no .gitignore ignores', { timeout: 900_000 }, async () => {
    const property = fc.asyncProperty(
      fc.array(path, { minLength: 1, maxLength: 12 }),
      fc.array(ignoreFile, { minLength: 1, maxLength: 3 }),
      async (paths, ignores) => {
        const files = treeOf(paths, ignores)
        const { ok } = trees.write(files)
        const listed = trees.run('git', ['ls-files', '-z', '--others', '--exclude-standard']).split('\0').filter(Boolean)
        const { paths: found } = await ok('glob', { pattern: '**/*', hidden: true, limit: 10_000 })
        const relative = (found as string[]).map((path) => path.slice('/workspace/'.length))
        expect(relative.sort(), JSON.stringify(files)).toEqual(listed.sort())
      },
    )
    await fc.assert(property, { numRuns: ROUNDS })
  })

  const line = fc.constantFrom('', 'a', 'b', '  a', '\ta', '}', '-- a', '++ b', '@@ -1 +1 @@', '-', '+x', '\\ No', 'é', 'trailing ')
  const text = fc
    .record({ lines: fc.array(line, { maxLength: 30 }), end: fc.constantFrom('\n', '\r\n'), final: fc.boolean() })
    .map(({ lines, end, final }) => ({ lines: lines.map((one) => one + end), final }))
  const splices = fc.array(fc.record({ at: fc.nat(30), remove: fc.nat(3), add: fc.array(line, { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 4,
  })
  const joined = (lines: readonly string[], final: boolean): string => (final ? lines.join('') : lines.join('').replace(/\r?\n$/, ''))

  it('apply_patch applies what git applies, with the same bytes, or rejects it', { timeout: 900_000 }, async () => {
    let applied = 0
    const property = fc.asyncProperty(
      text,
      splices,
      fc.constantFrom(0, 1, 3),
      fc.array(line, { maxLength: 4 }),
      async ({ lines, final }, changes, context, above) => {
        const end = lines[0]?.endsWith('\r\n') ? '\r\n' : '\n'
        const after = [...lines]
        for (const { at, remove, add } of changes) after.splice(at % (after.length + 1), remove, ...add.map((one) => one + end))
        const [from, to] = [joined(lines, final), joined(after, final)]
        fc.pre(from !== to && from !== '' && to !== '')
        // The diff is made from `old` and `new`, and applied to a copy of the old file that has some more lines at the top.
        trees.write({ 'old/f': from, 'new/f': to })
        const diff = diffOf(context)
        // Without context, git omits a last line that has no line break, and joins it to another line.
        fc.pre(context > 0 || !diff.includes('\\ No newline'))
        // Without context, only line numbers give the position, so no lines are added at the top.
        const moved = (context === 0 ? [] : above).map((one) => one + end).join('') + from
        const { files, run } = trees.write({ f: moved })
        const byGit = gitApply(diff, context)
        if (byGit === undefined) return
        const result = await run('apply_patch', { patch: diff })
        if (!result.ok) return
        applied++
        expect((await files()).f, JSON.stringify({ moved, diff })).toBe(byGit)
      },
    )
    await fc.assert(property, { numRuns: ROUNDS })
    expect(applied).toBeGreaterThan(ROUNDS / 2)
  })

  const names = ['f', 'g', 'dir/h', 'dir/sub/i', 'with blank']
  const content = fc
    .record({ lines: fc.array(line, { minLength: 1, maxLength: 12 }), end: fc.constantFrom('\n', '\r\n'), final: fc.boolean() })
    .map(({ lines, end, final }) => lines.join(end) + (final ? end : ''))
    .filter((one) => one !== '')
  const tree = fc.dictionary(fc.constantFrom(...names), content, { minKeys: 1, maxKeys: 4 })
  const step = fc.oneof(
    fc.record({ do: fc.constant('edit' as const), at: fc.nat(4), line, place: fc.nat(12) }),
    fc.record({ do: fc.constant('swap' as const), at: fc.nat(4), with: fc.nat(4) }),
    fc.record({ do: fc.constant('delete' as const), at: fc.nat(4) }),
    fc.record({ do: fc.constant('create' as const), name: fc.constantFrom(...names), content }),
    fc.record({ do: fc.constant('rename' as const), at: fc.nat(4), name: fc.constantFrom(...names) }),
  )

  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

  function changed(before: Readonly<Record<string, string>>, steps: readonly Step[]): Record<string, string> {
    const files = { ...before }
    for (const one of steps) {
      const all = Object.keys(files)
      const chosen = 'at' in one ? all[one.at % all.length] : undefined
      if (one.do === 'create') files[one.name] = one.content
      if (chosen === undefined) continue
      const text = files[chosen] as string
      if (one.do === 'edit') {
        const lines = text.split('\n')
        lines.splice(one.place % lines.length, 0, one.line + (text.includes('\r\n') ? '\r' : ''))
        files[chosen] = lines.join('\n')
      }
      if (one.do === 'swap') {
        const other = all[one.with % all.length] as string
        files[chosen] = files[other] as string
        files[other] = text
      }
      if (one.do === 'delete' && all.length > 1) delete files[chosen]
      if (one.do === 'rename' && files[one.name] === undefined) {
        delete files[chosen]
        files[one.name] = text
      }
    }
    return files
  }

  const PROGRAMS = {
    'git diff': ['git', 'diff', '--no-index', '--src-prefix=a/', '--dst-prefix=b/', '-M', '-C', '-B', 'old', 'new'],
    'diff -ruN': ['diff', '-ruN', 'a', 'b'],
  } as const

  it.each(Object.entries(PROGRAMS))(
    'apply_patch turns one tree into the other with the output of %s',
    { timeout: 900_000 },
    async (_, [program, ...args]) => {
      const [before, after] = program === 'git' ? ['old', 'new'] : ['a', 'b']
      const below = (files: Readonly<Record<string, string>>, folder: string): Record<string, string> =>
        Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))
      const property = fc.asyncProperty(tree, fc.array(step, { minLength: 1, maxLength: 5 }), async (from, steps) => {
        const to = changed(from, steps)
        trees.write({ ...below(from, before), ...below(to, after) })
        const diff = differences(program, args)
          .replaceAll(/^(.*? a\/|.*? b\/|(?:rename|copy) (?:from|to) )(?:old|new)\//gm, '$1')
          .replaceAll(/^(diff --git .* b\/)new\//gm, '$1')
        fc.pre(diff !== '')
        const { files, run } = trees.write(from)
        const result = await run('apply_patch', { patch: diff })
        expect(result, diff).toMatchObject({ ok: true })
        expect(await files(), diff).toEqual(to)
      })
      await fc.assert(property, { numRuns: ROUNDS })
    },
  )

  function differences(program: string, args: readonly string[]): string {
    try {
      return trees.run(program, args)
    } catch (error) {
      // Exit status 1 means that the files differ.
      return (error as { stdout: string }).stdout
    }
  }

  function diffOf(context: number): string {
    return differences('git', ['diff', '--no-index', `-U${context}`, 'old/f', 'new/f']).replaceAll(
      /(a\/old|b\/new)\/f/g,
      (found) => `${found[0]}/f`,
    )
  }

  /** The file's text after `git apply`. Undefined: git rejects the diff. */
  function gitApply(diff: string, context: number): string | undefined {
    try {
      trees.run('git', ['apply', '--whitespace=nowarn', ...(context === 0 ? ['--unidiff-zero'] : []), '-'], diff)
      return readFileSync(join(trees.root, 'f'), 'utf8')
    } catch {
      return undefined
    }
  }
})
