// @module-tag edit-file
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, fileTools } from 'toolport'
import { createNodeFs } from 'toolport/adapters/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, benchOver } from './harness.js'
import { keptTextCases } from './kept-text-cases.js'
import { inOtherProcess } from './two-processes.js'

let root: string
let real: Bench

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'toolport-kept-'))
  chmodSync(root, 0o777)
  real = benchOver(createRuntime({ fs: createNodeFs({ root }), tools: fileTools() }))
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

const put = (name: string, content: string, mode = 0o644): void => {
  writeFileSync(join(root, name), content)
  chmodSync(join(root, name), mode)
}
const edit = (path: string, old_string: string, new_string: string): { path: string; edits: unknown[] } => ({
  path,
  edits: [{ old_string, new_string }],
})
const onDisk = (name: string): string => readFileSync(join(root, name), 'utf8')

const ATTEMPT = (calls: readonly (readonly [string, unknown])[]): string => `
const codes = []
for (const [name, input] of ${JSON.stringify(calls)}) {
  const result = await call(name, input)
  const told = result.error?.includes('it is read-only for this process')
  codes.push(result.ok ? 'ok' : told ? 'EACCES, read-only' : result.output.code)
}
console.log(JSON.stringify(codes))
`

describe('a user without write permission for a file', () => {
  it('is rejected by every tool that changes content', async () => {
    put('f', 'one\n', 0o444)
    put('g', 'other\n')
    const patch = '*** Begin Patch\n*** Update File: f\n@@\n-one\n+two\n*** End Patch'
    const calls = [
      ['edit_file', edit('f', 'one', 'two')],
      ['write_file', { path: 'f', content: 'two' }],
      ['write_file', { path: 'f', content: 'two', mode: 'append' }],
      ['apply_patch', { patch }],
      ['move_file', { from: 'g', to: 'f', overwrite: true }],
    ] as const
    expect(await inOtherProcess(ATTEMPT(calls), root, 'nobody')).toEqual(calls.map(() => 'EACCES, read-only'))
    expect(onDisk('f')).toBe('one\n')
    expect(readdirSync(root)).toEqual(['f', 'g'])
  })

  it('is rejected by a patch, which leaves all other files unchanged', async () => {
    mkdirSync(join(root, 'd'))
    for (const name of ['a', 'b', 'c', 'd/e', 'z']) put(name, `${name}\n`, 0o666)
    linkSync(join(root, 'z'), join(root, 'z-too'))
    put('f', 'f\n', 0o444)
    chmodSync(join(root, 'd'), 0o555)
    const state = (): unknown =>
      ['a', 'b', 'c', 'd/e', 'f', 'z'].map((name) => {
        const { mode, uid, nlink, ino } = statSync(join(root, name))
        return { name, content: onDisk(name), mode, nlink, uid, ...(name === 'z' && { ino }) }
      })
    const first = ['*** Update File: a', '@@', '-a', '+A', '*** Add File: n/m/new', '+new']
    const second = [
      '*** Update File: b',
      '*** Move to: n/b',
      '@@',
      '-b',
      '+B',
      '*** Update File: c',
      '*** Move to: moved',
      '*** Delete File: z',
    ]
    // The second of two deletions is rejected.
    const refusedLast = ['*** Delete File: z', '*** Delete File: d/e']
    const all = ['*** Add File: z2', '+z', '*** Update File: a', '*** Move to: a2']
    const refused = [
      ['*** Update File: f', '@@', '-f', '+F'],
      ['*** Delete File: d/e'],
      ['*** Update File: d/e', '*** Move to: n/e'],
      ['*** Add File: d/x', '+x'],
    ]
    const calls = refused.flatMap((lines) =>
      [[...first, ...lines], [...second, ...lines], [...lines, ...second], [...all, ...lines], refusedLast].map((sections) => {
        const patch = ['*** Begin Patch', ...sections, '*** End Patch'].join('\n')
        return ['apply_patch', { patch }] as const
      }),
    )
    const wanted = state()
    expect(await inOtherProcess(ATTEMPT(calls), root, 'nobody')).toEqual(calls.map(() => expect.stringMatching(/^EACCES/)))
    expect(state()).toEqual(wanted)
    expect(readdirSync(root)).toEqual(['a', 'b', 'c', 'd', 'f', 'z', 'z-too'])
    chmodSync(join(root, 'd'), 0o777)
  })

  it.runIf(process.getuid?.() === 0)('differs from one with permission, who edits a file without becoming its owner', async () => {
    mkdirSync(join(root, 'd'))
    put('f', 'one\n', 0o666)
    put('d/f', 'one\n', 0o646)
    const before = ['f', 'd/f'].map((name) => statSync(join(root, name)))
    const calls = ['f', 'd/f'].map((name) => ['edit_file', edit(name, 'one', 'two')] as const)
    expect(await inOtherProcess(ATTEMPT(calls), root, 'nobody')).toEqual(['ok', 'ok'])
    const owned = ({ ino, uid, gid, mode }: ReturnType<typeof statSync> & object): unknown => ({ ino, uid, gid, mode })
    expect(['f', 'd/f'].map((name) => owned(statSync(join(root, name))))).toEqual(before.map(owned))
    expect([onDisk('f'), onDisk('d/f')]).toEqual(['two\n', 'two\n'])
  })
})

function hasNamespaces(): boolean {
  try {
    execFileSync('sh', ['-c', 'unshare -rm true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

it.runIf(hasNamespaces())('a file that is a mount point is written in place', async () => {
  put('outside', 'one\n')
  mkdirSync(join(root, 'w'))
  put('w/f', '')
  const calls = [
    ['edit_file', edit('f', 'one', 'two and more')],
    ['write_file', { path: 'f', content: 'three' }],
  ] as const
  const mount = `mount --bind ${join(root, 'outside')} ${join(root, 'w/f')}`
  expect(await inOtherProcess(ATTEMPT(calls), join(root, 'w'), 'root', mount)).toEqual(['ok', 'ok'])
  expect(onDisk('outside')).toBe('three')
  expect(readdirSync(join(root, 'w'))).toEqual(['f'])
})

it.runIf(hasNamespaces())('a file that is a mount point cannot be removed, and the error names the mount point', async () => {
  put('outside', 'one\n')
  mkdirSync(join(root, 'w'))
  put('w/f', '')
  const patch = (...lines: string[]): unknown => ({ patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') })
  const calls = [
    ['delete_file', { path: 'f' }],
    ['move_file', { from: 'f', to: 'g' }],
    ['apply_patch', patch('*** Delete File: f')],
    ['apply_patch', patch('*** Update File: f', '*** Move to: g')],
  ]
  const script = `const told = []
for (const [name, input] of ${JSON.stringify(calls)}) {
  const { error, output } = await call(name, input)
  told.push([error, output.hint].join(' '))
}
console.log(JSON.stringify(told))`
  const mount = `mount --bind ${join(root, 'outside')} ${join(root, 'w/f')}`
  const why = 'it is a mount point, or in use Try again in a moment, or choose another path (for a directory, a path below it).'
  expect(await inOtherProcess(script, join(root, 'w'), 'root', mount)).toEqual([
    `EBUSY: Cannot remove "/workspace/f": ${why}`,
    `EBUSY: Cannot move "/workspace/f" to "/workspace/g": ${why}`,
    `EBUSY: Cannot remove "/workspace/f": ${why}`,
    `EBUSY: Cannot move "/workspace/f" to "/workspace/g": ${why}`,
  ])
  expect(readdirSync(join(root, 'w'))).toEqual(['f'])
})

it.runIf(process.platform === 'linux')('a file in a directory that takes no new files is not reported as missing', async () => {
  const { fail } = benchOver(createRuntime({ fs: createNodeFs({ root: '/proc/self' }), root: '/workspace', tools: fileTools() }))
  const comm = readFileSync('/proc/self/comm', 'utf8')
  const { error } = await fail('edit_file', edit('comm', comm.trim(), 'other'))
  expect(error).toBe('ENOTSUP: Cannot write "/workspace/comm": its directory takes no new files')
  expect(readFileSync('/proc/self/comm', 'utf8')).toBe(comm)
})

it('an edit, a write and a patch keep hard links and change the content under all names', async () => {
  put('a', 'one\ntwo\n', 0o640)
  linkSync(join(root, 'a'), join(root, 'b'))
  await real.ok('edit_file', edit('a', 'one', '1'))
  expect(onDisk('b')).toBe('1\ntwo\n')
  await real.ok('write_file', { path: 'b', content: 'x\n' })
  expect(onDisk('a')).toBe('x\n')
  await real.ok('read_file', { path: 'a' })
  await real.ok('apply_patch', { patch: '*** Begin Patch\n*** Update File: a\n@@\n-x\n+yy\n*** End Patch' })
  expect(onDisk('b')).toBe('yy\n')
  expect(statSync(join(root, 'a'))).toMatchObject({ nlink: 2, ino: statSync(join(root, 'b')).ino, mode: 0o100640 })
})

it.each([
  ['changed under both names', '*** Update File: b\n@@\n-two\n+2\n'],
  ['removed under the other name', '*** Delete File: b\n'],
])('a patch detects that two of its names are one file: %s', async (_, section) => {
  put('a', 'one\ntwo\n')
  linkSync(join(root, 'a'), join(root, 'b'))
  const failure = await real.fail('apply_patch', {
    patch: `*** Begin Patch\n*** Update File: a\n@@\n-one\n+1\n${section}*** End Patch`,
  })
  expect(failure.output).toMatchObject({ code: 'EINVAL' })
  expect(failure.error).toContain(`it is the same file as "${join(root, 'a')}" (a hard link): change it under one name`)
  expect(onDisk('a')).toBe('one\ntwo\n')
  expect(statSync(join(root, 'b')).ino).toBe(statSync(join(root, 'a')).ino)
})

describe('an edit is not stale if the content is unchanged', () => {
  it.each<[string, () => void]>([
    ['another mode', () => chmodSync(join(root, 'f'), 0o755)],
    ['another time', () => utimesSync(join(root, 'f'), 1, 1)],
    ['equal bytes written to it', () => writeFileSync(join(root, 'f'), 'one\n')],
    [
      'equal bytes in a new file',
      () => {
        rmSync(join(root, 'f'))
        writeFileSync(join(root, 'f'), 'one\n')
      },
    ],
  ])('%s', async (_, change) => {
    put('f', 'one\n')
    await real.ok('read_file', { path: 'f' })
    change()
    await real.ok('write_file', { path: 'f', content: 'two\n' })
    put('f', 'two\n')
    await real.ok('edit_file', edit('f', 'two', 'three'))
    writeFileSync(join(root, 'f'), 'other\n')
    expect((await real.fail('edit_file', edit('f', 'other', 'three'))).output.code).toBe('ESTALE')
    expect((await real.fail('write_file', { path: 'f', content: 'x' })).output.code).toBe('ESTALE')
  })
})

describe('a text file in a directory', () =>
  keptTextCases(async (files) => {
    for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content)
    return real
  }))

it('is stale after a new time if only a part was read, and the error names the time as a possible cause', async () => {
  put('f', `${'x\n'.repeat(600_000)}one\n`)
  await real.ok('read_file', { path: 'f', byte_offset: 10 })
  utimesSync(join(root, 'f'), 1, 1)
  const { output, error } = await real.fail('edit_file', edit('f', 'one', 'two'))
  expect(output.code).toBe('ESTALE')
  expect(error).toContain('it changed since it was read (perhaps only its mode or time)')
  await real.ok('read_file', { path: 'f' })
  utimesSync(join(root, 'f'), 2, 2)
  await real.ok('edit_file', edit('f', 'one', 'two'))
})
