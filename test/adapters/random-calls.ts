import fc from '../fast-check.js'

type Path = fc.Arbitrary<string>
type Bytes = fc.Arbitrary<Uint8Array>
type Create = fc.Arbitrary<{ create?: 'always' | 'never' | 'exclusive' }>

/** A call of a storage, with its relative frequency. */
export interface Weighted<Call> {
  readonly weight: number
  readonly arbitrary: fc.Arbitrary<Call>
}

/** Paths of few names and at most three levels, so that calls meet. */
export function pathsOf(...names: readonly string[]): Path {
  const name = fc.constantFrom(...names)
  const below = (depth: number): Path => fc.tuple(...new Array<typeof name>(depth).fill(name)).map((parts) => `/${parts.join('/')}`)
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant('/') },
    { weight: 9, arbitrary: below(1) },
    { weight: 9, arbitrary: below(2) },
    { weight: 3, arbitrary: below(3) },
  )
}

type AnyCall =
  | readonly ['mkdir' | 'rmdir' | 'unlink' | 'rmTree' | 'lstat' | 'readdir' | 'readlink', string]
  | readonly ['rename' | 'symlink' | 'copy', string, string]
  | readonly ['append', string, Uint8Array]
  | readonly ['write', string, Uint8Array, { create?: 'always' | 'never' | 'exclusive' }]
  | readonly ['read', string, { offset?: number; length?: number }]

interface Parts {
  readonly path: Path
  /** Target of symlinks. */
  readonly target: Path
  /** Range of reads. */
  readonly range: fc.Arbitrary<{ offset?: number; length?: number }>
}

/** Calls that every storage with symlinks supports. Most of them change something. */
export function callsOf({ path, target, range }: Parts): readonly Weighted<AnyCall>[] {
  const bytes: Bytes = fc.uint8Array({ maxLength: 6 })
  const create: Create = fc.record({ create: fc.constantFrom('always', 'never', 'exclusive') }, { requiredKeys: [] })
  return [
    { weight: 5, arbitrary: fc.tuple(fc.constant('mkdir' as const), path) },
    { weight: 5, arbitrary: fc.tuple(fc.constant('write' as const), path, bytes, create) },
    { weight: 5, arbitrary: fc.tuple(fc.constant('rename' as const), path, path) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('symlink' as const), target, path) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('copy' as const), path, path) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('append' as const), path, bytes) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('rmdir' as const), path) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('unlink' as const), path) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('rmTree' as const), path) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('read' as const), path, range) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('lstat' as const), path) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('readdir' as const), path) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('readlink' as const), path) },
  ]
}

/** Creates a small tree first, because most calls would otherwise fail for a missing parent. */
export const preamble = (file: string, link: string): readonly AnyCall[] => [
  ['mkdir', '/a'],
  ['mkdir', '/a/b'],
  ['mkdir', '/b'],
  ['write', `/a/b/${file}`, Uint8Array.of(1, 2, 3), {}],
  ['symlink', 'a/b', `/${link}`],
]
