// @module-tag apply-patch
import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/errors/index.js'
import { type ApplyHunksOptions, applyHunks, hunkSteps } from '../../src/ops/patch/apply.js'
import { commandSteps } from '../../src/ops/patch/command.js'
import { type LineTable, lineTable, PATCH_LEVELS, type PatchLevel } from '../../src/ops/patch/line-table.js'
import { tableAfter } from '../../src/ops/patch/line-table-after.js'
import type { FilePatch } from '../../src/ops/patch/types.js'
import { finish } from '../../src/ops/steps.js'
import fc from '../fast-check.js'

const parsePatch = (patch: string): FilePatch[] => finish(commandSteps(patch))
const envelope = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')
const update = (...lines: string[]): string => envelope('*** Update File: f', ...lines)
const diff = (...lines: string[]): string => ['--- a/f', '+++ b/f', ...lines, ''].join('\n')

function apply(before: string, patch: string, options: Partial<ApplyHunksOptions> = {}): string {
  return outcome(before, patch, options).text
}

function outcome(before: string, patch: string, options: Partial<ApplyHunksOptions> = {}): ReturnType<typeof applyHunks> {
  const [section] = parsePatch(patch)
  if (section?.kind !== 'update') throw new Error('no update')
  return applyHunks(before, section.hunks, { subject: 'f', ...options })
}

function failure(body: () => unknown): InputError {
  try {
    body()
  } catch (error) {
    if (error instanceof InputError) return error
    throw error
  }
  throw new Error('it did not fail')
}

describe('the format of a patch', () => {
  it.each([
    ['empty', ' \n ', 'it is empty'],
    ['JSON', '{"input": "*** nothing"}', 'it is JSON'],
    ['truncated JSON', '{"patch": "x', 'it is JSON'],
    ['a patch with escaped line breaks', '*** Begin Patch\\n*** Delete File: f\\n*** End Patch', 'its line breaks are escaped'],
    ['JSON with a patch', JSON.stringify({ patch: update('@@', '-a', '+b') }), 'it is JSON'],
    ['a list of other words', '["apply", "x"]', 'it is JSON'],
    ['prose', 'please change f', "it begins with 'please change f'"],
  ])('%s is not a patch, but a mistake in the argument', (_, patch, problem) => {
    const error = failure(() => parsePatch(patch))
    expect(error.details).toMatchObject({ reason: 'argument' })
    expect(error.message).toContain(problem)
  })

  it.each([
    ['no begin line', '*** Update File: f\n@@\n-a\n*** End Patch', "The first line of the patch must be '*** Begin Patch'"],
    [
      'an incomplete command',
      `cd $HOME && apply_patch <<EOF\n${update('@@', '-a')}\nEOF`,
      "'*** Begin Patch', but is 'cd $HOME && apply_patch <<EOF': pass only the patch, without a command around it",
    ],
    [
      'a command after its heredoc',
      `cat > a.patch <<'EOF'\n${update('@@', '-a')}\nEOF\n\ngit apply a.patch\n`,
      "'git apply a.patch' follows its heredoc: pass only the patch",
    ],
    ['no end line', '*** Begin Patch\n*** Update File: f\n@@\n-a', "The last line of the patch must be '*** End Patch'"],
    ['no section', '*** Begin Patch\n*** End Patch', 'No files were modified'],
    [
      'an unknown header',
      envelope('*** Frobnicate File: x'),
      "invalid hunk at line 2, '*** Frobnicate File: x' is not a valid hunk header. Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'",
    ],
    ['no hunk', update(), "invalid hunk at line 2, Update file hunk for path 'f' is empty"],
    ['an empty hunk', update('@@', '*** End of File'), 'invalid hunk at line 3, Update hunk does not contain any lines'],
    [
      'a line without a prefix',
      update('@@', 'a'),
      "invalid hunk at line 4, Unexpected line found in update hunk: 'a'. Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)",
    ],
    ['hunks without a file', '@@ -1 +1 @@\n-a\n+b', 'no line that names their file'],
    ['a diff without hunks', '--- a/f\n+++ b/f\n', "there is no hunk (@@) for 'f'"],
    ['a diff with an empty hunk', diff('@@ -1 +1 @@'), 'a hunk has no lines'],
    ['a diff with a broken hunk header', diff('@@ -1,x @@', '-a'), 'is not a hunk header'],
    ['a diff with an unknown line', diff('@@ -1 +1 @@', '-a', '+b', 'what?'), "'what?' is neither a line of a hunk"],
    ['a diff with a new file that has old lines', '--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n-a\n', 'a new file has added lines only'],
    ['a diff without file names', '--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n', 'does not name the file'],
    ['a diff whose old name is empty', '--- a/\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n', 'the name of the file is empty'],
    ['a diff whose new name is empty', '--- a/f\n+++ b/\n@@ -1 +1 @@\n-a\n+b\n', 'the name of the file is empty'],
    ['a rename with one name', 'diff --git a/f b/g\nrename from f\n', 'has to name both files'],
    ['a newline note without a line', diff('@@ -1 +1 @@', '\\ No newline at end of file', '-a'), 'has no line before it'],
  ])('a patch with %s is malformed', (_, patch, problem) => {
    const error = failure(() => parsePatch(patch))
    expect(error.details).toMatchObject({ reason: 'format' })
    expect(error.message).toContain(problem)
  })

  it.each([
    ['<<EOF', 'EOF'],
    ["<<'EOF'", 'EOF'],
    ['<<\\EOF', 'EOF'],
    ['<<"PATCH"', 'PATCH'],
    ["apply_patch <<'EOF'", 'EOF'],
    ["cat <<'EOF'", 'EOF'],
    ["cat <<'EOF' | apply_patch", 'EOF'],
    ['cat > a.patch << EOF', 'EOF'],
    ["```bash\napply_patch <<'EOF'", 'EOF\n```'],
    ['```', '```'],
    ['```patch', '```'],
  ])('may be enclosed by %s', (open, close) => {
    expect(apply('a\n', `${open}\n${update('@@', '-a', '+b')}\n${close}\n`)).toBe('b\n')
    expect(apply('a\n', `${open}\n${diff('@@ -1 +1 @@', '-a', '+b')}${close}\n`)).toBe('b\n')
  })

  const inCommand = (text: string, path = 'f'): string => {
    const [section] = finish(commandSteps(text))
    expect(section).toMatchObject({ kind: 'update', path })
    return section?.kind === 'update' ? applyHunks('a\n', section.hunks, { subject: 'f' }).text : ''
  }

  it.each([
    ["cd src && apply_patch <<'EOF'", 'EOF', 'src/f'],
    [`bash -lc "cd 'a b/c' && apply_patch <<EOF`, 'EOF"', 'a b/c/f'],
    ['cd /workspace/src; apply_patch <<EOF', 'EOF', '/workspace/src/f'],
    [`bash -lc "apply_patch <<'EOF'`, 'EOF"', 'f'],
    [`/bin/sh -c 'apply_patch <<"EOF"`, "EOF\n'", 'f'],
  ])('may be enclosed by the command %s', (open, close, path) => {
    expect(inCommand(`${open}\n${update('@@', '-a', '+b')}\n${close}\n`, path)).toBe('b\n')
  })

  it('may be the argument of a command', () => {
    const patch = update('@@', '-a', '+"$b"')
    expect(inCommand(JSON.stringify(['apply_patch', patch]))).toBe('"$b"\n')
    expect(inCommand(JSON.stringify(['bash', '-lc', `apply_patch <<'EOF'\n${patch}\nEOF`]))).toBe('"$b"\n')
  })

  it.each(['"', "'"])('is rejected in a command whose shell may change it: %s', (quote) => {
    const command = `bash -lc ${quote}apply_patch <<EOF\n${update('@@', '-a', '+$b')}\nEOF${quote}`
    expect(failure(() => finish(commandSteps(command))).message).toContain('where quotes, $, ` and \\ may have another meaning')
  })

  it.each(['  ', '\t', '    '])('may be indented as a whole by %j', (indent) => {
    const indented = (patch: string): string => patch.replace(/^(?=.)/gm, indent)
    expect(apply('a\n\n  b\n', indented(update('@@', ' a', '', '-  b', '+  c')))).toBe('a\n\n  c\n')
    expect(apply('a\n  b\n', indented(diff('@@ -1,2 +1,2 @@', ' a', '-  b', '+  c')))).toBe('a\n  c\n')
    expect(apply('a\n', `- so:\n\n${indented(update('@@', '-a', '+b'))}`.slice(6))).toBe('b\n')
  })

  it('may have a context line that starts with three stars', () => {
    const stars = '*** a\n*** Note: b\nc\n'
    expect(apply(stars, update(' *** a', ' *** Note: b', '-c', '+d'))).toBe('*** a\n*** Note: b\nd\n')
    expect(apply(stars, update('@@ *** a', ' *** Note: b', '-c', '+d'))).toBe('*** a\n*** Note: b\nd\n')
    expect(apply(stars, update('*** a', '*** Note: b', '-c', '+d'))).toBe('*** a\n*** Note: b\nd\n')
    expect(apply(stars, update('@@', '*** a', '-*** Note: b', '+*** x'))).toBe('*** a\n*** x\nc\n')
    expect(apply(stars, update('-*** a', '+*** x', ' *** Note: b'))).toBe('*** x\n*** Note: b\nc\n')
  })

  it.each([
    ['a hunk', ['@@', '*** note', '-a', '+b']],
    ['a header', ['@@', '-a', '+b', '*** Rename File: g']],
  ])('a patch with a line of three stars that is not in the file, in place of %s, is rejected with that line', (_, lines) => {
    const error = failure(() => apply('a\n', update(...lines)))
    const line = lines.find((each) => each.startsWith('***'))
    expect(error.message).toContain(`'${line}' is not a valid hunk header`)
    expect(error.details.hint).toContain('and the file has no such line there')
  })

  const nest = 'def f():\n    a = 1\n    b = 2\nend\n'

  it.each([
    ['of all context lines', ['def f():', '    a = 1', '-    b = 2', '+    b = 3', 'end']],
    ['of only indented lines', ['    a = 1', '-    b = 2', '+    b = 3']],
    ['of some context lines', [' def f():', '     a = 1', '-    b = 2', '+    b = 3', 'end']],
    ['of all but one context line', ['def f():', '     a = 1', '-    b = 2', '+    b = 3', ' end']],
    ['of an indented context line', [' def f():', '    a = 1', '-    b = 2', '+    b = 3', ' end']],
  ])('may lack the leading space %s, if the file has the lines so', (_, lines) => {
    expect(apply(nest, update('@@', ...lines))).toBe(nest.replace('2', '3'))
    expect(apply(nest, diff('@@ -1,4 +1,4 @@', ...lines))).toBe(nest.replace('2', '3'))
  })

  it.each([
    ['at its own depth', nest, ['    a = 1', '+    c', '    b = 2'], nest.replace('1', '1\n    c')],
    ['one level deeper', nest, ['    a = 1', '+        c', '    b = 2'], nest.replace('1', '1\n        c')],
    ['at its own depth, as shown by a line with its space', nest, ['     a = 1', '+   c', '    b = 2'], nest.replace('1', '1\n   c')],
    ['at an ambiguous depth of one space less', nest, ['    a = 1', '+   c', '    b = 2'], undefined],
    ['at a depth that the file has with and without the space', ' x\n  y\n   z\n', ['  y', '+  c', '   z'], undefined],
  ])('adds a line between lines that lack their space %s', (_, before, lines, after) => {
    for (const patch of [update('@@', ...lines), diff('@@ ... @@', ...lines)]) {
      if (after !== undefined) expect(apply(before, patch)).toBe(after)
      else expect(() => apply(before, patch)).toThrow('has unchanged lines with one space less than the file: they lack the leading space')
    }
  })

  it('is rejected if a hunk without some spaces matches twice', () => {
    const twice = 'x\n a\n b\nx\n  a\n  b\n'
    expect(failure(() => apply(twice, update('@@', 'x', '  a', '-  b', '+c'))).code).toBe('ambiguous_match')
  })

  it.each([
    [
      'an envelope',
      update('@@', '-    b = 2', 'nowhere', '+x'),
      "invalid hunk at line 5, Expected update hunk to start with a @@ context marker, got: 'nowhere'",
    ],
    [
      'the first line of an envelope',
      update('@@', 'nowhere', '-    b = 2', '+x'),
      "invalid hunk at line 4, Unexpected line found in update hunk: 'nowhere'. Every line should start with ' '",
    ],
    [
      'a diff',
      diff('@@ -1,3 +1,3 @@', '-    b = 2', 'nowhere', '+x'),
      "'nowhere' is neither a line of a hunk (' ', '-' or '+' at its start) nor a header (---, +++, @@) (line 5 of the patch)",
    ],
  ])('is rejected for an unmarked line that is not in the file: %s', (_, patch, problem) => {
    const error = failure(() => apply(nest, patch))
    expect(error.message).toContain(problem)
    expect(`${error.message} ${error.details.hint}`).toMatch(/' ' \(context line\)|\(' ', '-' or '\+' at its start\)/)
  })

  it('may have CRLF, and the file keeps its line ends', () => {
    expect(apply('a\nb\n', update('@@', ' a', '-b', '+c').replaceAll('\n', '\r\n'))).toBe('a\nc\n')
    expect(apply('a\r\nb\r\n', update('@@', ' a', '-b', '+c').replaceAll('\n', '\r\n'))).toBe('a\r\nc\r\n')
  })

  it('may have a first hunk without @@, blank lines between hunks, and several @@ lines', () => {
    expect(apply('a\nb\nc\n', update('-a', '+x', '', '@@', ' b', '-c', '+z', '', ''))).toBe('x\nb\nz\n')
    const classes = 'class A\n  def f\n    1\n  def g\n    1\nclass B\n  def f\n    1\n'
    expect(apply(classes, update('@@ class B', '@@ def f', '-    1', '+    2'))).toBe(classes.replace(/1\n$/, '2\n'))
  })

  it.each([
    ['--- a/f\n+++ b/f', 'f'],
    ['--- a/f\n+++ a/f', 'a/f'],
    ['--- b/f\n+++ b/f', 'b/f'],
    ['diff --git i/f w/f\n--- i/f\n+++ w/f', 'f'],
    ['diff --git c/f c/f\n--- c/f\n+++ c/f', 'c/f'],
    ['--- f\t2024-01-01\n+++ f\t2024-01-02', 'f'],
    ['--- "a/\\t\\"\\303\\251"\n+++ "b/\\t\\"\\303\\251"', '\t"é'],
    ['--- a/two words\t\n+++ b/two words\t', 'two words'],
    ['--- a/space at its end \t\n+++ b/space at its end \t', 'space at its end '],
    ['--- a/f  \n+++ b/f  ', 'f'],
  ])('has the file name in %j', (header, path) => {
    expect(parsePatch(`${header}\n@@ -1 +1 @@\n-a\n+b\n`)).toMatchObject([{ kind: 'update', path }])
  })

  it.each(['@@ ', '@@   '])('may have %j as a plain @@', (anchor) => {
    expect(apply('b\n\nc\nb\n', update('@@ c', anchor, '-b', '+x'))).toBe('b\n\nc\nx\n')
    expect(apply('a\nb\n', update(anchor, '-a', '+x'))).toBe('x\nb\n')
  })

  it('may have line numbers in an envelope', () => {
    expect(apply('a\nb\na\n', update('@@ -3,1 +3,1 @@', '-a', '+c'))).toBe('a\nb\nc\n')
  })
})

describe('the place of a hunk cap:73', () => {
  it.each([
    ['exact', 'a\nb\n', ['-b', '+c'], 'a\nc\n'],
    ['trailing_space', 'a\nb \t\n', ['-b', '+c'], 'a\nc\n'],
    ['surrounding_space', 'a\n\tb\n', ['-  b', '+  c'], 'a\n\tc\n'],
    ['unicode', 'a\n“b” – it’s\u00a0x\n', ['-"b" - it\'s x', '+c'], 'a\nc\n'],
  ])('is found with tolerance %s', (level, before, lines, after) => {
    expect(outcome(before, update('@@', ...lines))).toEqual({ text: after, levels: [level] })
  })

  it('is the strictest match: a looser one elsewhere is not ambiguous', () => {
    expect(apply('  b\nb\n', update('@@', '-b', '+c'))).toBe('  b\nc\n')
    expect(apply('b \n  b\n', update('@@', '-b', '+c'))).toBe('c\n  b\n')
  })

  it('keeps unchanged lines of the file', () => {
    expect(apply('\tif (“x”) {\r\n\t\ta()  \n\t}\n', update('@@', ' if ("x") {', '-  a()', '+  b()', ' }'))).toBe(
      '\tif (“x”) {\r\n\t\tb()\n\t}\n',
    )
  })

  const nested = 'class A:\n    def f(self):\n        return 1\n'
  const tabs = 'class A {\n\tf() {\n\t\treturn 1\n\t}\n}\n'

  it.each([
    ['at the depth of the line they replace', nested, ['-return 1', '+return 2'], nested.replace('1', '2')],
    [
      'shifted like all old lines',
      nested,
      [' def f(self):', '-    return 1', '+    if self:', '+        return 2', '+', '+    return 3'],
      'class A:\n    def f(self):\n        if self:\n            return 2\n\n        return 3\n',
    ],
    [
      'shifted to the left',
      'def f():\n    return 1\n',
      ['     def f():', '-        return 1', '+        if x:', '+            return 2'],
      'def f():\n    if x:\n        return 2\n',
    ],
    [
      'tabs instead of spaces',
      tabs,
      ['     f() {', '-        return 1', '+        if (x) {', '+            return 2', '+        }', '     }', '+    g() {}'],
      tabs.replace('return 1', 'if (x) {\n\t\t\treturn 2\n\t\t}').replace('\t}\n}', '\t}\n\tg() {}\n}'),
    ],
    [
      'another indentation width',
      'a {\n  b {\n    c\n  }\n}\n',
      ['    b {', '-        c', '+        d {', '+            c', '+        }'].map((line, i) => (i === 0 ? '     b {' : line)),
      'a {\n  b {\n    d {\n      c\n    }\n  }\n}\n',
    ],
    ['unchanged if only the text differs', 'a\n“b”\n', ['-"b"', '+    c'], 'a\n    c\n'],
  ])('gives added lines their indentation: %s', (_, before, lines, after) => {
    expect(apply(before, update('@@', ...lines))).toBe(after)
    expect(apply(before, diff('@@ ... @@', ...lines))).toBe(after)
    expect(apply(before, update('@@', ...lines), { ambiguity: 'first' })).toBe(after)
  })

  it.each([
    ['spaces instead of tabs at one depth', '\ta\n', ['-  a', '+  if x:', '+    a']],
    ['spaces below tabs', '\ta\n', ['-a', '+if x:', '+  a']],
    ['one depth for two depths of the file', 'a\n  b\n', [' a', '-b', '+c']],
    ['a line with less indentation than all others', '    a\n', ['-  a', '+b']],
    ['irregular depths', ' a\n    b\n', ['   a', '-    b', '+   c']],
  ])('is rejected if the indentation of an added line is unclear: %s', (_, before, lines) => {
    const error = failure(() => apply(before, update('@@', ...lines)))
    expect(error.code).toBe('no_match')
    expect(error.message).toMatch(
      /^Cannot patch "f": its only hunk \(line 3 of the patch\) has a different indentation than the file: line \d begins with .* in the file and .* in the patch, so the indentation of '.*' is unclear\. Indent all lines of the hunk as in the file$/,
    )
  })

  it('is rejected if it is ambiguous, with all lines', () => {
    const error = failure(() => apply('x\na\ny\na\n', update('@@', '-a', '+b')))
    expect(error).toMatchObject({ code: 'ambiguous_match', details: { path: 'f', hunk: 1, line: 3, candidates: [2, 4] } })
    expect(error.message).toBe('Cannot patch "f": its only hunk (line 3 of the patch) fits at more than one place: lines 2, 4')
  })

  it('is the first of several with the option', () => {
    expect(apply('x\na\ny\na\n', update('@@', '-a', '+b'), { ambiguity: 'first' })).toBe('x\nb\ny\na\n')
    expect(apply('f\n a\nf\n a\n', update('@@ f', '- a', '+ b'), { ambiguity: 'first' })).toBe('f\n b\nf\n a\n')
  })

  it('is decided only by an exact line number', () => {
    expect(apply('a\nx\na\n', diff('@@ -3 +3 @@', '-a', '+b'))).toBe('a\nx\nb\n')
    expect(failure(() => apply('a\nx\na\n', diff('@@ -2 +2 @@', '-a', '+b'))).code).toBe('ambiguous_match')
    expect(apply('y\nx\na\n', diff('@@ -1 +1 @@', '-a', '+b'))).toBe('y\nx\nb\n')
    // A hunk without context after it, or with a `\ No newline` mark, was at the end of its file, so its line number does not decide.
    for (const hunk of [diff('@@ -2 +2,2 @@', ' a', '+b'), diff('@@ -2 +2 @@', '-a', '+b', '\\ No newline at end of file')])
      expect(failure(() => apply('x\na\na\n', hunk))).toMatchObject({ code: 'ambiguous_match', details: { candidates: [2, 3] } })
    expect(apply('x\na\na\n', diff('@@ -2,2 +2,3 @@', ' a', '+b', ' a'))).toBe('x\na\nb\na\n')
    // A more exact match elsewhere takes precedence over the line number.
    expect(apply(' a\nx\na\n', diff('@@ -1 +1 @@', '-a', '+b'))).toBe(' a\nx\nb\n')
  })

  it('is after the previous hunk', () => {
    expect(apply('a\nx\na\n', update('@@', ' x', '@@', '-a', '+b'))).toBe('a\nx\nb\n')
    const error = failure(() => apply('a\nb\n', update('@@', '-b', '+c', '@@', '-a', '+x')))
    expect(error.message).toContain('occur only at line 1, above the previous hunk')
    expect(error.details).toMatchObject({ hunk: 2 })
  })

  const functions = 'def f():\n    return 1\n\ndef g():\n    return 1\n\ndef h():\n    return 1\n'

  it('is first searched in the block of its @@ line', () => {
    expect(apply(functions, update('@@ def g():', '-    return 1', '+    return 2'))).toBe(
      functions.replace('def g():\n    return 1', 'def g():\n    return 2'),
    )
    // The @@ line may also be the hunk's first line.
    expect(apply(functions, update('@@ def g():', ' def g():', '-    return 1', '+    return 2'))).toContain('def g():\n    return 2')
    // If the block does not contain the lines, the search continues after the block.
    expect(apply('a:\n  1\nb:\n  2\n', update('@@ a:', '-  2', '+  3'))).toBe('a:\n  1\nb:\n  3\n')
  })

  it('is rejected if both its @@ line and its lines occur twice', () => {
    const twice = 'f\n  a\ng\n  b\nf\n  a\n'
    expect(failure(() => apply(twice, update('@@ f', '-  a', '+  c'))).details).toMatchObject({ candidates: [2, 6] })
    expect(apply(twice, update('@@ f', '-  b', '+  c'))).toBe('f\n  a\ng\n  c\nf\n  a\n')
  })

  it('is after the @@ line or at the end if the hunk only adds', () => {
    expect(apply('a\nb\nc\n', update('@@ b', '+x'))).toBe('a\nb\nx\nc\n')
    expect(apply('a\nb', update('@@', '+x'))).toBe('a\nb\nx')
    expect(apply('', update('@@', '+x'))).toBe('x\n')
    expect(apply('a\nb\n', diff('@@ -1,0 +2 @@', '+x'))).toBe('a\nx\nb\n')
    expect(apply('a\nb\n', diff('@@ -0,0 +1 @@', '+x'))).toBe('x\na\nb\n')
    expect(failure(() => apply('a\nb\na\n', update('@@ a', '+x'))).code).toBe('ambiguous_match')
    expect(failure(() => apply('a\n', diff('@@ -7,0 +8 @@', '+x'))).message).toContain('the file has 1 lines')
  })

  it('is the end of the file if the hunk ends with *** End of File', () => {
    expect(apply('a\nb\na\n', update('@@', '-a', '+c', '*** End of File'))).toBe('a\nb\nc\n')
    const error = failure(() => apply('a\nb\n', update('@@', '-a', '+c', '*** End of File')))
    expect(error.message).toContain('has *** End of File, but its lines are at line 1')
    expect(apply('a\nb\n', update('@@', '+c', '*** End of File'))).toBe('a\nb\nc\n')
  })

  it('may include an empty last line that the file lacks', () => {
    expect(apply('a\nb\n', update('@@', ' a', '-b', '+c', ' ', '*** End of File'))).toBe('a\nc\n')
    expect(apply('a\nb\n', update('@@', '-b', '-', '+c', '+'))).toBe('a\nc\n')
  })
})

describe('line ends of a patched file', () => {
  it.each([
    ['added lines get those of the replaced lines', 'a\r\nb\nc\r\n', ['-a', '-b', '+x', '+y'], 'x\r\ny\nc\r\n'],
    ['further added lines get that of the last replaced line', 'a\nb\r\n', [' a', '-b', '+x', '+y'], 'a\nx\r\ny\r\n'],
    ['lines that replace none get that of the line above', 'a\r\nb\n', [' a', '+x', ' b'], 'a\r\nx\r\nb\n'],
    ['lines added at the start get that of the line below', 'a\r\nb\r\n', ['+x', ' a'], 'x\r\na\r\nb\r\n'],
    ['added lines match the file if its last line has no break', 'a\r\nb', [' a', '-b', '+x', '+y'], 'a\r\nx\r\ny'],
    ['lines added to a file without a final break get one before them', 'a', [' a', '+x'], 'a\nx'],
    ['a missing final break stays missing if the last line is removed', 'a\r\nb', [' a', '-b'], 'a'],
    ['a missing final break is added if empty lines follow', 'a\r\nb', [' b', '+c', '+'], 'a\r\nb\r\nc\r\n'],
  ])('%s', (_, before, lines, after) => {
    expect(apply(before, update('@@', ...lines))).toBe(after)
    expect(apply(before, diff('@@ ... @@', ...lines))).toBe(after)
  })

  it.each([
    ['old lines with a CR', [' a\r', '-b\r', '+x'], 'a\r\nx\r\nc'],
    ['a hunk without old lines', ['+x'], 'a\r\nb\r\nc\r\nx'],
    ['a first old line with a CR', [' a\r', '-b', '+x', '+y'], 'a\r\nx\r\ny\r\nc'],
  ])('are CRLF in a file with only CRLF, whatever the envelope has: %s', (_, lines, after) => {
    expect(apply('a\r\nb\r\nc', update('@@', ...lines))).toBe(after)
    expect(apply('a\r\nb\r\nc', update('@@', ...lines), { finalBreak: true })).toBe(`${after}\r\n`)
  })

  it('follow a diff that contains the file’s line ends', () => {
    expect(apply('a\r\nb\r\n', diff('@@ -1,2 +1,2 @@', ' a\r', '-b\r', '+b'))).toBe('a\r\nb\n')
    expect(apply('a\nb\n', diff('@@ -1,2 +1,2 @@', ' a', '-b', '+b\r'))).toBe('a\nb\r\n')
  })

  it('are missing at the end if the diff has "No newline at end of file", or if the file had none', () => {
    const note = '\\ No newline at end of file'
    expect(apply('a\n', diff('@@ -1 +1 @@', '-a', '+b', note))).toBe('b')
    expect(apply('a', diff('@@ -1 +1 @@', '-a', note, '+b'))).toBe('b\n')
    expect(apply('a', diff('@@ -1 +1 @@', '-a', '+b'))).toBe('b')
    expect(apply('a\nc\n', diff('@@ -1 +1 @@', '-a', '+b', note))).toBe('b\nc\n')
    expect(apply('a', update('@@', '-a', '+b'))).toBe('b')
    expect(apply('a\nb', diff('@@ -1,2 +1 @@', ' a', '-b', note))).toBe('a\n')
    expect(apply('a\nb', update('@@', '-a', '+c'))).toBe('c\nb')
    expect(apply('a\nb', update('@@', '-a', '+c'), { finalBreak: true })).toBe('c\nb\n')
  })
})

describe('the error of a hunk that does not match', () => {
  it('names file, hunk, expected and closest lines', () => {
    const file = 'function alpha() {\n  return 1\n}\nfunction beta() {\n  return 2\n}\n'
    const error = failure(() => apply(file, update('@@', ' function beta() {', '-  return 3', '+  return 4')))
    expect(error.code).toBe('no_match')
    expect(error.details).toMatchObject({
      path: 'f',
      hunk: 1,
      line: 3,
      expected: ['function beta() {', '  return 3'],
      nearest: { line: 4 },
    })
    expect(error.message).toContain('Lines 4-5 are the closest match')
    expect(error.message).toContain('Expected:\nfunction beta() {\n  return 3')
  })

  it('names an @@ line that is not in the file', () => {
    const error = failure(() => apply('def f():\n  1\n', update('@@ def ff():', '-  1', '+  2')))
    expect(error.details).toMatchObject({ missing: 'context', expected: ['def ff():'], nearest: { line: 1 } })
    expect(error.message).toContain('"@@ def ff():", which is not in the file')
  })

  it.each([
    ['an @@ line', ['@@', '-c', '+d', '@@ a', '-b', '+x'], 'has the line "@@ a", which occurs only at line 1, above the previous hunk'],
    ['an inner @@ line', ['@@ c', '@@ a', '-b', '+x'], 'has the line "@@ a", which occurs only at line 1, above the previous @@ line'],
    [
      'lines before a blank line',
      ['@@', '-c', '+d', '@@', ' a', ' b', '+x', ' '],
      'has lines that occur only at line 1, above the previous hunk',
    ],
    [
      'the line of the previous hunk',
      ['@@', '-a', '+1', '@@', '-a', '+11'],
      'has lines that occur only at line 1, in lines that hunk 1 already changes',
    ],
    [
      'a line of an earlier hunk',
      ['@@', ' a', '-b', '+1', '@@', '-c', '+d', '@@', ' b', ' c', '+11'],
      'has lines that occur only at line 2, in lines that hunk 1 already changes',
    ],
  ])('says that %s is above, not that it differs', (_, lines, problem) => {
    const { message } = failure(() => apply('a\nb\nc\n', update(...lines)))
    expect(message).toContain(problem)
    expect(message).not.toContain('differ')
  })

  it('says that it may be already applied, or that the file is empty', () => {
    expect(failure(() => apply('b\nrest\n', update('@@', '-a', '+b', ' rest'))).message).toContain('may have been applied before')
    expect(failure(() => apply('', update('@@', '-a', '+b'))).message).toContain('the file is empty')
  })
})

describe('patches of large files', () => {
  const lines = 100_000
  const big = Array.from({ length: lines }, (_, i) => `line ${i % 50_000}`).join('\n')

  it('apply 2,000 hunks with and without line numbers', () => {
    const wanted = Array.from({ length: lines }, (_, i) => (i < 50_000 && i % 25 === 10 ? 'new' : `line ${i % 50_000}`)).join('\n')
    const at = Array.from({ length: 2000 }, (_, k) => k * 25 + 10)
    const numbered = diff(...at.flatMap((i) => [`@@ -${i},3 +${i},3 @@`, ` line ${i - 1}`, `-line ${i}`, '+new', ` line ${i + 1}`]))
    expect(apply(big, numbered) === wanted).toBe(true)
    const unnumbered = update(...at.flatMap((i) => ['@@', ` line ${i - 1}`, `-line ${i}`, '+new', ` line ${i + 1}`]))
    expect(
      apply(big.slice(0, big.indexOf('\nline 49999')), unnumbered)
        .split('\n')
        .filter((line) => line === 'new'),
    ).toHaveLength(2000)
    expect(failure(() => apply(big, unnumbered)).code).toBe('ambiguous_match')
  })

  it('read very many blank lines in linear time', () => {
    const blanks = '\n'.repeat(100_000)
    expect(failure(() => parsePatch(`x${blanks}x`)).details).toMatchObject({ reason: 'argument' })
    expect(parsePatch(`${diff('@@ -1 +1 @@', '-a', '+b')}${blanks} c\n`)).toHaveLength(1)
  })

  it('are rejected above a limit', () => {
    expect(failure(() => parsePatch(update('@@', '+x\n'.repeat(260_000)))).message).toContain('more than 250000 lines: split the patch')
    expect(failure(() => apply('a\n', update('@@', '-a', ...Array.from({ length: 50_001 }, () => '+b')))).message).toContain(
      'has more than 50000 lines: split it into smaller hunks, or write the file',
    )
  })

  it('run in short steps, also if all lines are equal', () => {
    const same = 'a\nb\n'.repeat(50_000)
    const [section] = parsePatch(update('@@', ...Array.from({ length: 400 }, (_, i) => ` ${i % 2 ? 'b' : 'a'}`), '-b', '+c'))
    if (section?.kind !== 'update') throw new Error('no update')
    const steps = hunkSteps(same, section.hunks, { subject: 'f' })
    expect(failure(() => finish(counted(steps))).code).toBe('no_match')
    expect(taken).toBeGreaterThan(10)
  })

  it('run in short steps if a hunk has many @@ lines', () => {
    const names = Array.from({ length: 200 }, (_, i) => `f${i}`)
    const [section] = parsePatch(update(...names.map((name) => `@@ ${name}`), '-last', '+b'))
    if (section?.kind !== 'update') throw new Error('no update')
    taken = 0
    expect(finish(counted(hunkSteps(`${names.join('\n')}\nlast\n`, section.hunks, { subject: 'f' }))).text).toContain('f199\nb\n')
    expect(taken).toBeGreaterThan(200)
  })

  it('run in short steps if lines are long', () => {
    const [section] = parsePatch(update('@@', '-a', '+b'))
    if (section?.kind !== 'update') throw new Error('no update')
    taken = 0
    expect(
      failure(() => finish(counted(hunkSteps(`${'\u201c'.repeat(60_000)}\n`.repeat(100), section.hunks, { subject: 'f' })))).code,
    ).toBe('no_match')
    expect(taken).toBeGreaterThan(50)
  })

  it('compare typography in lines of up to 262,144 characters', () => {
    const line = (length: number, quote: string): string => quote.repeat(length)
    const change = (length: number): string => apply(`${line(length, '\u201c')}\n`, update('@@', `-${line(length, '"')}`, '+b'))
    expect(change(262_144)).toBe('b\n')
    expect(failure(() => change(262_145)).code).toBe('no_match')
  })

  let taken = 0
  function* counted<T>(steps: Generator<void, T>): Generator<void, T> {
    for (let step = steps.next(); ; step = steps.next()) {
      taken++
      if (step.done) return step.value
      yield
    }
  }
})

describe('an unchanged line without its leading space', () => {
  const file = 'x\ny\n+ plus\n'
  it.each([
    ['in a hunk that lacks other spaces too', diff('@@ -1,3 +1,3 @@\nx\n-y\n+z\n+ plus\n')],
    ['in a hunk with counts that omit it', diff('@@ -1,3 +1,3 @@\n x\n-y\n+z\n+ plus\n')],
    ['in a hunk of an envelope', envelope('*** Update File: f', '@@', 'x', '-y', '+z', '+ plus')],
  ])('an unprefixed line %s is rejected instead of added', (_, patch) => {
    expect(() => apply(file, patch)).toThrow("has '+ plus', which is a line of the file: begin each unchanged line with a space")
  })

  it('is not read as an @@ line', () => {
    const lines = 'a\n@@ plus\nb\n'
    const problem = "has '@@ plus', which is a line of the file: begin each unchanged line with a space"
    expect(() => apply(lines, envelope('*** Update File: f', '@@ plus', '-b', '+c'))).toThrow(problem)
    expect(() => apply(lines, diff('@@ -1,3 +1,3 @@\n a\n@@ plus\n-b\n+c\n'))).toThrow(problem)
  })

  it('is added if the line counts say so', () => {
    expect(apply(file, diff('@@ -1,2 +1,3 @@\n x\n-y\n+z\n+ plus\n'))).toBe('x\nz\n plus\n+ plus\n')
  })
})

it('the index of lines after a change equals a new one', () => {
  const line = fc.constantFrom('a', 'b', ' a', 'a ', '', '\u201ca', 'a\r')
  const texts = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 12 }).map((lines) => lines.flat().join(''))
  const places = (table: LineTable, level: PatchLevel): unknown[] => {
    const { idOf, range, order } = finish(table.index(level))
    return Array.from({ length: table.count }, (_, i) => {
      const { from, to } = range(idOf(table.line(i)) ?? -1)
      return [...order.subarray(from, to)]
    })
  }
  fc.assert(
    fc.property(
      texts,
      fc.array(fc.record({ at: fc.nat(20), remove: fc.nat(3), add: texts, cut: fc.nat(3) }), { maxLength: 4 }),
      (start, edits) => {
        let text = start
        let table = finish(lineTable(text))
        for (const { at, remove, add, cut } of edits) {
          for (const level of PATCH_LEVELS) places(table, level)
          text = (text.slice(0, at) + add + text.slice(at + remove)).slice(0, text.length + add.length - cut)
          table = finish(tableAfter(table, text))
          const fresh = finish(lineTable(text))
          expect(table.starts).toEqual(fresh.starts)
          expect(table.indexes.size).toBe(PATCH_LEVELS.length)
          for (const level of PATCH_LEVELS) expect(places(table, level)).toEqual(places(fresh, level))
        }
      },
    ),
    { numRuns: 300 },
  )
})
