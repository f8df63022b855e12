// @module-tag virtual-shell
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { patched, readPatches } from '../../scripts/patches.mjs'

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const FOLDER = 'adapters/just-bash/patches'

const apply = (code: string, patch: string, names = {}) => patched(code, readPatches(patch), names).replace(/\s+/g, ' ')

describe('a patch of minified code', () => {
  it('compares tokens, and maps short names to their meaning', () => {
    const patch = '@@ more\nprose\n function a(b, c) {\n-  return b - c\n+  let d = helper(c); return b - d\n }'
    expect(apply('function q(e,t){return e-t}function t(e){return e}', patch)).toBe(
      'function q(e,t){ let $own_d = helper ( t ) ; return e - $own_d }function t(e){return e}',
    )
  })

  it('finds functions of the library by their declaration', () => {
    const names = { subtract: 'function subtract(a, b) { return a - b' }
    expect(apply('function q(e,t){return e-t}w(1)', '@@ call\n-w(1)\n+w(subtract(1, 2))', names)).toBe(
      'function q(e,t){return e-t} w ( q ( 1 , 2 ) ) ',
    )
    expect(() => apply('let x', '', names)).toThrow('subtract is found 0 times by its anchor')
  })

  it('may have further hunks with the same names', () => {
    const code = 'function a(e){e.own()}function b(n){n.own();f(n);g()}'
    expect(apply(code, '@@ second\n x.own()\n@@\n f(x);\n-g()\n+g(x)\n')).toBe(
      'function a(e){e.own()}function b(n){n.own();f(n); g ( n ) }',
    )
  })

  it.each([
    ['nowhere', '-f(2)', 'fits 0 times'],
    ['two places', '-f(1)', 'fits 2 times'],
    ['two names with one', '-f(1), f(x), g(x)', 'fits 0 times'],
  ])('is rejected where it fits %s', (_, lines, message) => {
    expect(() => apply('f(1);f(1),f(a),g(b)', `@@ the patch\n${lines}`)).toThrow(`the patch "the patch" ${message}`)
  })

  it('does not change what another patch changes', () => {
    expect(() => apply('f(1);g()', '@@ one\n-f(1);\n+h()\n@@ two\n-(1);\n+(2);')).toThrow('two patches change')
  })
})

describe('the patches of just-bash', () => {
  const files = readdirSync(at(FOLDER)).filter((name) => name.endsWith('.patch'))
  const texts = files.map((name) => readFileSync(at(`${FOLDER}/${name}`), 'utf8'))

  it('explain the problem that they fix, and each file starts with a text for the library', () => {
    for (const text of texts) {
      expect(text).toMatch(/^[A-Z].+\n\n/i)
      for (const part of text.split(/^@@ /m).slice(1)) expect(part).toMatch(/^.+\n.+\n\n[ +-]/)
    }
  })
})
