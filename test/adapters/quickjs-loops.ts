/** Kind of work -> program that prints `begun` and never ends. */
export const LOOPS: Readonly<Record<string, string>> = {
  pattern: 'console.log("begun"); /(x+x+)+y/.test("x".repeat(40))',
  getter: 'const o = { get a() { return o.b }, get b() { for (;;); } }; console.log("begun"); o.a',
  promises: 'const f = () => { Promise.resolve().then(f) }; console.log("begun"); f(); await new Promise(() => {})',
  sorting: 'const a = Array.from({ length: 1e5 }, (_, i) => (i * 7919) % 1e5); console.log("begun"); for (;;) a.slice().sort()',
  'string search': 'const a = "a".repeat(1e6); console.log("begun"); for (;;) a.indexOf("b")',
  recursion: 'const f = () => { try { f() } finally { f() } }; console.log("begun"); for (;;) try { f() } catch {}',
}

/** A single built-in call that takes years and cannot be interrupted. */
export const BUILTIN_LOOP = 'const a = "a".repeat(1e7), b = "a".repeat(1e6) + "b"; console.log("begun"); a.indexOf(b)'

/** Kind of values that fill the memory -> program. */
export const BOMBS: Readonly<Record<string, string>> = {
  strings: 'const a = []; for (;;) a.push("x".repeat(1e6) + a.length)',
  arrays: 'const a = []; for (;;) a.push(new Array(1000).fill(1))',
  'typed arrays': 'const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))',
  objects: 'let a = {}; for (;;) a = { a, b: { c: a } }',
  // Each promise waits for the next.
  promises: 'const f = () => Promise.resolve().then(f); await f()',
}

/** Programs that fill both memory and files. They write to `/tmp`, which is not part of the workspace. */
export const BOMBS_BESIDE: Readonly<Record<string, string>> = {
  'memory and files in turn': `import fs from 'node:fs'; const all = []
    for (let n = 0; ; n++) { all.push(new Uint8Array(1e5).fill(1)); try { fs.writeFileSync('/tmp/' + n, all[n]) } catch {} }`,
  'pending answers': `import fs from 'node:fs'; fs.writeFileSync('/tmp/f', new Uint8Array(12e6).fill(1))
    const length = async () => (await fs.promises.readFile('/tmp/f')).length
    for (let n = 0; n < 3; n++) await Promise.allSettled(Array.from({ length: 16 }, length))
    process.exit(134)`,
  'pending requests': `import fs from 'node:fs'; const bytes = new Uint8Array(20e6).fill(1)
    for (let n = 0; n < 3; n++) await Promise.allSettled(Array.from({ length: 16 }, (_, i) => fs.promises.writeFile('/tmp/' + i, bytes)))
    process.exit(134)`,
  'pending strings': `import fs from 'node:fs'; const text = 'x'.repeat(8e6)
    const codes = await Promise.all(Array.from({ length: 16 }, (_, i) => fs.promises.symlink(text, '/tmp/l' + i).catch((e) => e.code)))
    if (codes.every((code) => code === 'ENAMETOOLONG')) process.exit(134)`,
  'one large request': `import fs from 'node:fs'; const bytes = new Uint8Array(4e7).fill(1)
    try { fs.writeFileSync('/tmp/x', bytes) } catch {}
    process.exit(134)`,
  'files, then memory': `import fs from 'node:fs'; const bytes = new Uint8Array(1e6).fill(1)
    try { for (let n = 0; ; n++) fs.writeFileSync('/tmp/' + n, bytes) } catch {}
    const all = []; for (;;) all.push(new Uint8Array(1e5).fill(1))`,
}

/** Programs with small JSON that is large once it is parsed. None of them fails. */
export const JSON_BOMBS: Readonly<Record<string, string>> = {
  'a result of many values': 'export default Array(5000).fill(Array(1000).fill([]))',
  'the input of a tool of many values': `const input = Array(4000).fill(Array(1000).fill({}))
    await invokeTool('x', input).then(() => process.exit(1), ({ name }) => process.exit(name === 'RangeError' ? 0 : 2))`,
  'a request of many values': `import fs from 'node:fs'; const many = Array(5000).fill(Array(1000).fill([]))
    Object.prototype.toJSON = function () { return this.op === 'stat' ? many : this }
    const names = []
    try { fs.statSync('/tmp') } catch ({ name }) { names.push(name) }
    await fs.promises.stat('/tmp').catch(({ name }) => names.push(name))
    process.exit(names.join() === 'RangeError,RangeError' ? 0 : 1)`,
  'a URL of many values': `const many = Array(5000).fill(Array(1000).fill([]))
    Object.prototype.toJSON = function () { return 'url' in this ? many : this }
    try { new URL('https://host.example/') } catch ({ name }) { process.exit(name === 'RangeError' ? 0 : 1) }`,
  'a timer argument of many values': `const many = Array(5000).fill(Array(1000).fill([]))
    Object.prototype.toJSON = function () { return 'immediate' in this ? many : this }
    setTimeout(() => {}, 10)`,
  'the names of a module, of many commas': `import { createRequire } from 'node:module'
    createRequire(import.meta.url)('os')[','.repeat(14e6)] = 1
    await import('os')`,
  'a URL of many escapes': `try { new URL('https://host.example/' + '\u20ac'.repeat(4e6)) } catch ({ name }) { process.exit(name === 'RangeError' ? 0 : 1) }`,
  'bytes that become escapes': `for (let n = 0; n < 4; n++) for (const size of [8e6, 12e6, 20e6]) try { new TextDecoder().decode(new Uint8Array(size)) } catch {}`,
}
