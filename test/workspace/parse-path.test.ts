// @module-tag paths
import type { WorkspaceError } from 'toolport'
import { describe, expect, it } from 'vitest'
import { type PathSyntax, parsePath } from '../../src/workspace/parse-path.js'
import { isWithin } from '../../src/workspace/paths.js'
import fc, { rounds } from '../fast-check.js'

const ROOTS = ['/', '/workspace', '/a/b']

const fragment = fc.constantFrom(
  ...['/', '//', '.', '..', '...', '~', '\\', '\0', ':', 'C:', 'file:', 'http://', '%2e', '%2f', ' ', '\ud800', '\u2024', '\uff0f'],
  ...['a', 'b', 'workspace', 'workspace2', '/workspace', '/a/b', '/a/b2', '__proto__', '-', '*', '\n', 'é', '\u{1f600}', 'n'.repeat(255)],
)
const pathish = fc.array(fragment, { maxLength: 14 }).map((parts) => parts.join(''))
const anything = fc.oneof(
  pathish,
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 400 }),
)

function attempt(input: string, rules: PathSyntax): string | WorkspaceError {
  try {
    return parsePath(input, rules).path
  } catch (error) {
    if ((error as Error).name !== 'WorkspaceError') throw error
    return error as WorkspaceError
  }
}

describe('parsePath', () => {
  for (const root of ROOTS) {
    for (const backslash of ['refuse', 'separator'] as const) {
      const rules: PathSyntax = { root, cwd: root, backslash }

      it(`returns a normalised path within ${root} or a WorkspaceError (backslash: ${backslash})`, () => {
        fc.assert(
          fc.property(anything, (input) => {
            const path = attempt(input, rules)
            if (path instanceof Error) {
              expect(['invalid_path', 'path_outside_workspace']).toContain(path.code)
              return
            }
            expect(path === '/' || /^(\/(?!\.{0,2}(\/|$))[^/\0]+)+$/.test(path)).toBe(true)
            expect(isWithin(path, root)).toBe(true)
            expect(path.includes('\\')).toBe(false)
            expect(new TextEncoder().encode(path).length).toBeLessThanOrEqual(4096)
          }),
          { numRuns: rounds(2000) },
        )
      })

      it(`returns its own output unchanged, in ${root} (backslash: ${backslash})`, () => {
        fc.assert(
          fc.property(anything, (input) => {
            const path = attempt(input, rules)
            if (typeof path === 'string') expect(attempt(path, rules)).toBe(path)
          }),
          { numRuns: rounds(2000) },
        )
      })
    }

    it(`agrees with a naive resolution below ${root}`, () => {
      const name = fc.constantFrom('a', 'b', '.', '..', '', 'workspace', 'a b')
      fc.assert(
        fc.property(fc.boolean(), fc.array(name, { minLength: 1, maxLength: 10 }), (absolute, names) => {
          const input = (absolute ? '/' : '') + names.join('/')
          fc.pre(input !== '')
          const expected = naive(input.startsWith('/') ? input : `${root}/${input}`, root)
          const path = attempt(input, { root, cwd: root, backslash: 'refuse' })
          expect(typeof path === 'string' ? path : path.code).toBe(expected)
        }),
        { numRuns: rounds(2000) },
      )
    })
  }

  it('resolves relative paths from cwd, and allows ".." up to the root', () => {
    const rules: PathSyntax = { root: '/workspace', cwd: '/workspace/src/deep', backslash: 'refuse' }
    expect(parsePath('a.ts', rules).path).toBe('/workspace/src/deep/a.ts')
    expect(parsePath('../../a.ts', rules).path).toBe('/workspace/a.ts')
    expect(parsePath('../..', rules).path).toBe('/workspace')
    expect(attempt('../../..', rules)).toMatchObject({ code: 'path_outside_workspace' })
    expect(parsePath('/workspace/a.ts', rules).path).toBe('/workspace/a.ts')
  })

  it('sets `directory` for a path written as a directory', () => {
    const rules: PathSyntax = { root: '/workspace', cwd: '/workspace', backslash: 'refuse' }
    for (const input of ['a/', 'a//', './a/', 'a/.', 'a/./', '/workspace/a/.', '.', './', 'a/..']) {
      expect(parsePath(input, rules).directory, input).toBe(true)
    }
    for (const input of ['a', './a', 'a/b', 'a.', 'a..', '...', 'a/...']) expect(parsePath(input, rules).directory, input).toBe(false)
  })

  it('can treat a backslash as a separator, but rejects network shares', () => {
    const rules: PathSyntax = { root: '/workspace', cwd: '/workspace', backslash: 'separator' }
    expect(parsePath('src\\a.ts', rules).path).toBe('/workspace/src/a.ts')
    expect(parsePath('src\\', rules)).toEqual({ path: '/workspace/src', directory: true })
    expect(attempt('..\\a.ts', rules)).toMatchObject({ code: 'path_outside_workspace' })
    expect(attempt('src\\..\\..\\a.ts', rules)).toMatchObject({ code: 'path_outside_workspace' })
    for (const input of ['\\\\server\\share', '\\\\?\\C:\\x', 'C:\\x', '\\\\.\\pipe']) {
      expect(attempt(input, rules), input).toMatchObject({ code: 'invalid_path' })
    }
  })

  it('explains the mistake and what to write instead', () => {
    const rules: PathSyntax = { root: '/workspace', cwd: '/workspace', backslash: 'refuse' }
    const message = (input: string): string => String((attempt(input, rules) as Error).message)
    expect(message('')).toBe('Cannot use path "": it is empty, use "." for the current directory')
    expect(message('../x')).toBe('Cannot use path "../x": it is outside the workspace "/workspace"')
    expect(message('a\0b')).toBe('Cannot use path "a\\0b": it contains a NUL character')
    expect(message('a\\b')).toBe('Cannot use path "a\\b": it contains a backslash, separate components with "/"')
    expect(message('x'.repeat(5000))).toBe(`Cannot use path "${'x'.repeat(60)}...": it is longer than 4096 bytes`)
    expect(message('file:///a')).toContain('it is a URL')
    for (const input of ['C:/a', 'c:\\a', 'C:']) expect(message(input)).toContain('drive letters')
    for (const name of ['t:1', 'c:x.txt']) expect(attempt(name, rules)).toBe(`/workspace/${name}`)
  })

  it('quotes the input in every error', () => {
    fc.assert(
      fc.property(anything, (input) => {
        const error = attempt(input, { root: '/workspace', cwd: '/workspace', backslash: 'refuse' })
        if (typeof error === 'string') return
        expect(error.message).toMatch(/^Cannot use path "/)
        expect(error.message.length).toBeLessThan(4096 + 200)
      }),
    )
  })
})

function naive(absolute: string, root: string): string {
  const kept: string[] = []
  for (const part of absolute.split('/')) {
    if (part === '..') {
      if (kept.length === 0) return 'path_outside_workspace'
      kept.pop()
    } else if (part !== '' && part !== '.') kept.push(part)
  }
  const path = `/${kept.join('/')}`
  return root === '/' || `${path}/`.startsWith(`${root}/`) ? path : 'path_outside_workspace'
}
