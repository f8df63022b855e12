// @module-tag apply-patch
import { createRuntime, fileTools } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { expect, test } from 'vitest'
import fc from '../fast-check.js'
import { benchOver } from './harness.js'

/** The full number of cases runs in Node only, because the code is the same in the other runtimes. */
const inNode = globalThis.navigator?.userAgent?.startsWith('Node.js') ?? true
const RUNS = inNode ? 50_000 : 1_000

const FILES = { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n', 'd/b.txt': 'x\r\ny\r\nx\r\n', 'd/c.txt': 'no end', empty: '' }

const VALID = [
  `*** Begin Patch
*** Update File: a.txt
@@ one
-two
+zwei
 three
@@
 four
-five
+fünf
*** End of File
*** Add File: new/n.txt
+hi
+
*** Delete File: empty
*** Update File: d/b.txt
*** Move to: e/b.txt
@@
 x
-y
+z
*** End Patch`,
  `diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,4 @@
 one
-two
+zwei
+drei
 three
@@ -5 +6,0 @@ four
-five
diff --git a/d/c.txt b/d/m.txt
similarity index 50%
rename from d/c.txt
rename to d/m.txt
--- a/d/c.txt
+++ b/d/m.txt
@@ -1 +1,2 @@
-no end
\\ No newline at end of file
+no
+end
\\ No newline at end of file
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+hi
--- a/d/b.txt
+++ /dev/null
@@ -1,3 +0,0 @@
-x\r
-y\r
-x\r
`,
  "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: d/c.txt\n-no end\n+an end\n*** End Patch\nEOF",
] as const

const HOSTILE = [
  '*** Add File: ../out',
  '*** Delete File: /etc/passwd',
  '*** Update File: d',
  '*** Add File: ',
  '*** Add File: a.txt/x',
  '*** Move to: ..',
  '*** Move to: a.txt',
  '*** Update File: \0',
  '*** Add File: d/',
  '*** End of File',
  '*** End Patch',
  '*** Begin Patch',
  '@@',
  '@@ x',
  '@@ -1 +1 @@',
  '@@ -0,0 +1 @@',
  '@@ -999999999,3 +1,999999999 @@',
  '--- a/a.txt',
  '+++ b/a.txt',
  '+++ /dev/null',
  '--- /dev/null',
  'rename from a.txt',
  'rename to ../x',
  'copy from empty',
  'copy to .',
  'diff --git a/a.txt b/a.txt',
  'diff --git "a/\\303" x',
  'deleted file mode 100644',
  'new file mode 120000',
  'GIT binary patch',
  '\\ No newline at end of file',
  '-- ',
  '',
  ' ',
  '-',
  '+',
  '+\ud800',
  ' one',
  '-x',
  '```',
  '\u2028',
  '-\ufeffone',
]

const mutation = fc.record({
  kind: fc.constantFrom('drop', 'copy', 'swap', 'hostile', 'cut', 'char', 'replace', 'join'),
  at: fc.nat(60),
  to: fc.nat(60),
  line: fc.constantFrom(...HOSTILE),
  char: fc.constantFrom(' ', '+', '-', '@', '*', '\n', '\r', '\0', '/', '.', '"', '\\', 'x', '\ud83d'),
})

type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never

function mutate(patch: string, { kind, at, to, line, char }: Mutation): string {
  const lines = patch.split('\n')
  const here = at % lines.length
  if (kind === 'drop') lines.splice(here, 1 + (to % 3))
  else if (kind === 'copy') lines.splice(to % lines.length, 0, lines[here] ?? '')
  else if (kind === 'swap') lines.splice(here, 2, ...lines.slice(here, here + 2).reverse())
  else if (kind === 'hostile') lines.splice(here, 0, line)
  else if (kind === 'replace') lines[here] = line
  else if (kind === 'cut') return patch.slice(0, (at * 61 + to) % patch.length)
  else if (kind === 'join') return patch + patch.slice(at)
  else {
    const text = lines[here] ?? ''
    const place = to % (text.length + 1)
    lines[here] = text.slice(0, place) + char + text.slice(place + (at % 2))
  }
  return lines.join('\n')
}

const CODES = [
  'invalid_input',
  'no_match',
  'ambiguous_match',
  'path_outside_workspace',
  'invalid_path',
  'ENOENT',
  'EEXIST',
  'EISDIR',
  'ENOTDIR',
  'EINVAL',
  'ENOTEMPTY',
]

test(`${RUNS} malformed patches are each applied completely or rejected with a reason and without changes cap:74`, {
  timeout: 900_000,
}, async () => {
  const fresh = (): ReturnType<typeof benchOver> => benchOver(createRuntime({ fs: createMemoryFs({ files: FILES }), tools: fileTools() }))
  let bench = fresh()
  const counts = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...VALID), fc.array(mutation, { minLength: 1, maxLength: 4 }), async (valid, mutations) => {
      const result = await bench.run('apply_patch', { patch: mutations.reduce(mutate, valid) })
      const key = result.ok ? 'ok' : String(result.output.code)
      counts.set(key, (counts.get(key) ?? 0) + 1)
      if (result.ok) {
        bench = fresh()
        return
      }
      expect(CODES).toContain(result.output.code)
      expect(await bench.files()).toEqual(FILES)
      expect(await bench.runtime.workspace.exists('new')).toBe(false)
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  // The mutations must produce successes as well as errors.
  expect(counts.get('ok')).toBeGreaterThan(RUNS / 100)
  for (const code of ['invalid_input', 'no_match', 'path_outside_workspace', 'ENOENT']) expect(counts.get(code)).toBeGreaterThan(0)
})
