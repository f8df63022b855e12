// @module-tag apply-patch
import { createTwoFilesPatch, structuredPatch } from 'diff'
import { expect, test } from 'vitest'
import { InputError } from '../../src/errors/index.js'
import { unifiedDiff } from '../../src/ops/diff.js'
import { detectEol } from '../../src/ops/lines.js'
import { applyHunks } from '../../src/ops/patch/apply.js'
import { parsePatch } from '../../src/ops/patch/parse.js'
import fc from '../fast-check.js'

/** The full number of cases runs in Node only, because the code is the same in the other runtimes. */
const inNode = globalThis.navigator?.userAgent?.startsWith('Node.js') ?? true
const RUNS = inNode ? 10_000 : 300

const body = fc.constantFrom('', 'a', 'b', ' a', '}', '-- a', '++ b', '@@', '-', '+x', 'diff --git a/x b/x', '\\ No', '“é”', 'x\ry', '\ta ')
const ending = fc.constantFrom('\n', '\r\n')

interface Line {
  readonly body: string
  readonly end: string
}

/** A text and an edited copy. Lines may repeat, line endings may be mixed, and the last line may lack one. */
const edit = fc
  .record({
    lines: fc.array(fc.record({ body, end: ending }), { maxLength: 24 }),
    endings: fc.constantFrom('lf', 'crlf', 'mixed'),
    splices: fc.array(fc.record({ at: fc.nat(30), remove: fc.nat(3), add: fc.array(fc.record({ body, end: ending }), { maxLength: 3 }) }), {
      minLength: 1,
      maxLength: 4,
    }),
    finalBefore: fc.boolean(),
    finalAfter: fc.boolean(),
  })
  .map(({ lines, endings, splices, finalBefore, finalAfter }) => {
    const styled = (some: readonly Line[]): Line[] =>
      some.map((line) => (endings === 'mixed' ? line : { ...line, end: endings === 'lf' ? '\n' : '\r\n' }))
    const before = styled(lines)
    const after = [...before]
    for (const { at, remove, add } of splices) after.splice(at % (after.length + 1), remove, ...styled(add))
    return { endings, before: toText(before, finalBefore), after: toText(after, finalAfter) }
  })

/** Joins the lines. Without a final line break, an empty last line is dropped, because the break before it would be final. */
function toText(lines: readonly Line[], final: boolean): string {
  return lines.map((line, i) => line.body + (i === lines.length - 1 && !final && line.body !== '' ? '' : line.end)).join('')
}

function applyTo(before: string, patch: string): string {
  const sections = parsePatch(patch)
  expect(sections).toHaveLength(1)
  const [section] = sections
  if (!section || section.kind === 'move' || section.kind === 'copy' || section.kind === 'mode') throw new Error('not one file')
  return section.kind === 'add' ? section.text : applyHunks(before, section.hunks ?? [], { subject: 'f' }).text
}

test(`${RUNS} random edits as unified diffs give the new text, and the old one when reversed cap:48 cap:73`, {
  timeout: 900_000,
}, () => {
  fc.assert(
    fc.property(edit, fc.constantFrom(0, 1, 3), fc.boolean(), ({ endings, before, after }, lines, ours) => {
      fc.pre(before !== after)
      // A hunk without old lines cannot show the endings of a mixed file.
      const context = endings === 'lf' ? lines : Math.max(lines, 1)
      const diff = (from: string, to: string): string =>
        ours
          ? unifiedDiff({ path: 'f', before: from, after: to, context })
          : createTwoFilesPatch('a/f', 'b/f', from, to, '', '', { context })
      expect(applyTo(before, diff(before, after))).toBe(after)
      expect(applyTo(after, diff(after, before))).toBe(before)
    }),
    { numRuns: RUNS },
  )
})

function envelope(from: string, to: string, context: number): string {
  const { hunks } = structuredPatch('f', 'f', from, to, '', '', { context })
  return `*** Begin Patch\n*** Update File: f\n${hunks.map(({ lines }) => `@@\n${lines.join('\n')}\n`).join('')}*** End Patch\n`
}

/**
 * Applies the change as an envelope. With three context lines its position may be ambiguous, which is an error. All lines as context are
 * never ambiguous.
 */
function applyEnvelope(from: string, to: string): string {
  try {
    return applyTo(from, envelope(from, to, 3))
  } catch (error) {
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({ code: 'ambiguous_match' })
    return applyTo(from, envelope(from, to, 1000))
  }
}

test(`${RUNS} random edits as envelopes give the new text or are ambiguous, and the old one when reversed cap:48 cap:73`, {
  timeout: 900_000,
}, () => {
  fc.assert(
    fc.property(edit, ({ endings, before, after }) => {
      const end = endings === 'crlf' ? '\r\n' : '\n'
      const [from, to] = [before, after].map((text) => (text === '' || text.endsWith('\n') ? text : `${text}${end}`)) as [string, string]
      fc.pre(from !== to)
      // An envelope adds CRLF to a file whose line endings are all CRLF.
      const wanted = (old: string, fresh: string): string => (detectEol(old) === 'crlf' ? fresh.replace(/\r?\n/g, '\r\n') : fresh)
      fc.pre(wanted(from, to) !== from && wanted(to, from) !== to)
      expect(applyEnvelope(from, to)).toBe(wanted(from, to))
      expect(applyEnvelope(to, from)).toBe(wanted(to, from))
    }),
    { numRuns: RUNS },
  )
})

test('unchanged lines keep their bytes, however the patch writes them', () => {
  const line = fc.record({ indent: fc.constantFrom('', '  ', '\t'), tail: fc.constantFrom('', ' ', '\t'), end: ending })
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 3, maxLength: 8 }),
      fc.array(line, { minLength: 3, maxLength: 8 }),
      fc.nat(),
      (file, patch, at) => {
        const words = file.map((_, i) => `“word” ${i} – end`)
        const written = file.map(({ indent, tail, end }, i) => `${indent}${words[i]}${tail}${end}`)
        const changed = at % file.length
        const sent = words.flatMap((word, i) => {
          const { indent, tail } = patch[i % patch.length] as (typeof patch)[number]
          const old = `${indent}${word.replace(/[“”]/g, '"').replace('–', '-')}${tail}`
          return i === changed ? [`-${old}`, `+${indent}new`] : [` ${old}`]
        })
        const spelled = (i: number): string | undefined => patch[i % patch.length]?.indent
        const depths = new Set(file.filter((_, i) => spelled(i) === spelled(changed)).map(({ indent }) => indent))
        const text = `*** Begin Patch\n*** Update File: f\n@@\n${sent.join('\n')}\n*** End Patch`
        const wanted = written.map((own, i) => (i === changed ? `${file[i]?.indent}new${file[i]?.end}` : own)).join('')
        // If one indentation of the patch stands for two in the file, the new line's indentation is ambiguous.
        if (depths.size > 1) expect(() => applyTo(written.join(''), text)).toThrow('has a different indentation than the file')
        else expect(applyTo(written.join(''), text)).toBe(wanted)
      },
    ),
    { numRuns: inNode ? 1000 : 100 },
  )
})

test(`${RUNS} hunks without the marks of unchanged lines give the right file or are rejected`, { timeout: 900_000 }, () => {
  const line = fc.record({
    depth: fc.nat(3),
    extra: fc.constantFrom('', '', '', ' '),
    word: fc.constantFrom('', 'a', 'b', 'c', 'd', 'e {', '}', '* f'),
  })
  const file = fc.record({
    lines: fc.array(line, { minLength: 3, maxLength: 14 }),
    unit: fc.constantFrom('  ', '    ', '\t', ' '),
    at: fc.nat(12),
    remove: fc.nat(2),
    add: fc.array(line, { maxLength: 3 }),
    context: fc.integer({ min: 1, max: 3 }),
    stripped: fc.oneof(fc.constant([true]), fc.array(fc.boolean(), { minLength: 1, maxLength: 8 })),
  })
  const outcomes = { right: 0, refused: 0 }
  fc.assert(
    fc.property(file, ({ lines, unit, at, remove, add, context, stripped }) => {
      const text = ({ depth, extra, word }: (typeof lines)[number], i: number): string =>
        word === '' ? '' : `${unit.repeat(depth)}${extra}${word}${i % 3 === 0 ? i : ''}`
      const before = lines.map(text)
      const from = at % before.length
      const after = before.toSpliced(from, remove, ...add.map((each, i) => text(each, i + 1)))
      fc.pre(before.join() !== after.join())
      const [whole, wanted] = [`${before.join('\n')}\n`, `${after.join('\n')}\n`]
      const { hunks } = structuredPatch('f', 'f', whole, wanted, '', '', { context })
      let kept = 0
      const strip = (each: string): string => (/^ ./.test(each) && (stripped[kept++ % stripped.length] ?? true) ? each.slice(1) : each)
      const body = hunks.map(
        (hunk) => `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@\n${hunk.lines.map(strip).join('\n')}\n`,
      )
      // A file's line that begins with `+` or `-` would be read as a change after its own mark is stripped.
      fc.pre(!/\n[+-]/.test(`\n${whole}`))
      for (const patch of [
        `--- a/f\n+++ b/f\n${body.join('')}`,
        `*** Begin Patch\n*** Update File: f\n${body.join('').replace(/^@@ .*/gm, '@@')}*** End Patch`,
      ]) {
        let result: string | undefined
        try {
          result = applyTo(whole, patch)
        } catch (error) {
          if (!(error instanceof InputError)) throw error
        }
        if (result !== undefined) expect(result).toBe(wanted)
        outcomes[result === undefined ? 'refused' : 'right']++
      }
    }),
    { numRuns: RUNS },
  )
  expect(outcomes.right).toBeGreaterThan(outcomes.refused / 2)
})
