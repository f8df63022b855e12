// @module-tag archives
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readZip, writeZip } from 'toolport/adapters/zip'
import { collectBytes, readArchive, readTar, writeTar } from 'toolport/archive'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dir, file, flat, link, text } from './archive-support.js'

// We read what other programs write, and they read what we write. Programs that this machine lacks are skipped.
const has = (program: string, ...args: string[]): boolean => spawnSync(program, args, { stdio: 'ignore' }).status === 0
const gnuTar = has('tar', '--version') && execFileSync('tar', ['--version'], { encoding: 'utf8' }).includes('GNU')
const bsdTar = has('bsdtar', '--version')
const python = has('python3', '-c', 'import tarfile, zipfile')

let folder: string
const deep = `${'d'.repeat(90)}/${'e'.repeat(60)}/${'f'.repeat(60)}.txt`
const name100 = 'n'.repeat(120)
const contents: Record<string, string> = {
  'plain.txt': 'hello\n',
  'run.sh': '#!/bin/sh\n',
  'big.bin': 'x'.repeat(200_001),
  empty: '',
  'é 日本.txt': 'names',
  [deep]: 'deep',
  [name100]: 'long name',
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolport-tar-'))
  const tree = join(folder, 'tree')
  mkdirSync(join(tree, deep, '..'), { recursive: true })
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(tree, name), content)
  chmodSync(join(tree, 'run.sh'), 0o755)
  symlinkSync('plain.txt', join(tree, 'link'))
  symlinkSync(deep, join(tree, 'far'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function expectTree(bytes: Uint8Array): Promise<void> {
  const entries = new Map((await flat(readArchive(bytes))).map((entry) => [entry.path, entry]))
  const files = [...entries.values()].filter(({ kind }) => kind === 'file')
  expect(Object.fromEntries(files.map((entry) => [entry.path, text(entry.bytes)]))).toEqual(contents)
  expect(entries.get('link')?.target).toBe('plain.txt')
  expect(entries.get('far')?.target).toBe(deep)
  expect(entries.get('run.sh')?.mode).toBe(0o755)
}

const pythonTar = (format: string): string => `
import tarfile, sys
with tarfile.open(sys.argv[1], 'w', format=tarfile.${format}) as tar: tar.add('tree', '.')`

describe('readTar reads archives of', () => {
  it.runIf(gnuTar).each(['gnu', 'oldgnu', 'posix'])('GNU tar, --format=%s', async (format) => {
    const args = ['-C', join(folder, 'tree'), `--format=${format}`, '-cf', '-', '.']
    await expectTree(execFileSync('tar', args, { maxBuffer: 2 ** 26 }))
    await expectTree(execFileSync('tar', ['-z', ...args], { maxBuffer: 2 ** 26 }))
  })

  it.runIf(gnuTar).each(['ustar', 'v7'])('GNU tar, --format=%s, which has no long names', async (format) => {
    const args = ['-C', join(folder, 'tree'), `--format=${format}`, '-cf', '-', 'plain.txt', 'run.sh', 'big.bin', 'link']
    const entries = await flat(readTar(execFileSync('tar', args, { maxBuffer: 2 ** 26 })))
    expect(entries.map(({ path, kind }) => [path, kind])).toEqual([
      ['plain.txt', 'file'],
      ['run.sh', 'file'],
      ['big.bin', 'file'],
      ['link', 'symlink'],
    ])
    expect(text(entries[2]?.bytes)).toBe(contents['big.bin'])
  })

  it.runIf(gnuTar)('GNU tar with a path in the prefix field', async () => {
    const args = ['-C', join(folder, 'tree'), '--format=ustar', '-cf', '-', deep]
    expect((await flat(readTar(execFileSync('tar', args)))).map(({ path }) => path)).toEqual([deep])
  })

  it.runIf(gnuTar)('GNU tar with a hard link, which is rejected by name', async () => {
    execFileSync('ln', ['-f', join(folder, 'tree/plain.txt'), join(folder, 'hard')])
    const bytes = execFileSync('tar', ['-C', folder, '-cf', '-', 'tree/plain.txt', 'hard'])
    await expect(flat(readTar(bytes))).rejects.toThrow('entry "hard" is a hard link')
    rmSync(join(folder, 'hard'))
  })

  it.runIf(bsdTar)('bsdtar', async () => {
    await expectTree(execFileSync('bsdtar', ['-C', join(folder, 'tree'), '-cf', '-', '.'], { maxBuffer: 2 ** 26 }))
  })

  it.runIf(python).each(['GNU_FORMAT', 'PAX_FORMAT'])('Python, %s', async (format) => {
    const path = join(folder, 'python.tar')
    execFileSync('python3', ['-c', pythonTar(format), path], { cwd: folder })
    await expectTree(readFileSync(path))
  })

  it('npm pack, with a long path', async () => {
    const project = join(folder, 'project')
    const path = `src/${'a'.repeat(60)}/${'b'.repeat(60)}/index.js`
    mkdirSync(join(project, path, '..'), { recursive: true })
    writeFileSync(join(project, 'package.json'), '{"name":"packed","version":"1.0.0"}')
    writeFileSync(join(project, path), 'export {}\n')
    execFileSync('npm', ['pack', '--offline', '--ignore-scripts', '--pack-destination', folder], { cwd: project, stdio: 'ignore' })
    const entries = await flat(readArchive(readFileSync(join(folder, 'packed-1.0.0.tgz'))))
    expect(entries.map((entry) => [entry.path, text(entry.bytes)])).toEqual([
      [`package/${path}`, 'export {}\n'],
      ['package/package.json', '{"name":"packed","version":"1.0.0"}'],
    ])
  })
})

const ours = [
  dir('d', { mode: 0o750 }),
  file('d/run.sh', '#!/bin/sh\n', { mode: 0o755 }),
  file(deep, 'deep'),
  file(name100, 'long'),
  file('é 日本', 'names'),
  link('l', 'd/run.sh'),
  link('far', deep),
  dir('q'.repeat(100)),
]

function expectOurs(target: string): void {
  for (const entry of ours) {
    const at = join(target, entry.path)
    if (entry.kind === 'file') expect(readFileSync(at)).toEqual(Buffer.from(entry.content as Uint8Array))
    else if (entry.kind === 'symlink') expect(readlinkSync(at)).toBe(entry.target)
    else expect(lstatSync(at).isDirectory()).toBe(true)
  }
  expect(lstatSync(join(target, 'd/run.sh')).mode & 0o777).toBe(0o755)
}

describe('archives of writeTar', () => {
  const unpack = async (program: string, args: (archive: string, target: string) => string[], bytes: Uint8Array): Promise<string> => {
    const target = mkdtempSync(join(folder, 'out-'))
    const archive = join(folder, 'ours')
    writeFileSync(archive, bytes)
    execFileSync(program, args(archive, target))
    return target
  }

  it.runIf(gnuTar)('are extracted by GNU tar without a warning', async () => {
    const bytes = await collectBytes(writeTar(ours))
    expectOurs(await unpack('tar', (archive, target) => ['-C', target, '-xpf', archive], bytes))
    const listed = spawnSync('tar', ['-tvf', join(folder, 'ours')], { encoding: 'utf8' })
    expect(listed).toMatchObject({ status: 0, stderr: '' })
  })

  it.runIf(bsdTar)('are extracted by bsdtar', async () => {
    expectOurs(await unpack('bsdtar', (archive, target) => ['-C', target, '-xpf', archive], await collectBytes(writeTar(ours))))
  })

  it.runIf(python)('are extracted by Python', async () => {
    const code = 'import tarfile, sys; tarfile.open(sys.argv[1]).extractall(sys.argv[2])'
    expectOurs(await unpack('python3', (archive, target) => ['-c', code, archive, target], await collectBytes(writeTar(ours))))
  })

  it.runIf(python)('zip archives are extracted by Python, and zips by Python are read', async () => {
    const code = `
import zipfile, sys, os
with zipfile.ZipFile(sys.argv[1]) as z:
  assert z.testzip() is None
  z.extractall(sys.argv[2])
with zipfile.ZipFile(os.path.join(sys.argv[2], 'again.zip'), 'w', zipfile.ZIP_DEFLATED) as z:
  z.writestr('é/x.txt', 'x' * 1000)
  z.writestr('stored', 'y', zipfile.ZIP_STORED)`
    const bytes = await collectBytes(writeZip(ours))
    const target = await unpack('python3', (archive, out) => ['-c', code, archive, out], bytes)
    for (const entry of ours.filter(({ kind }) => kind === 'file')) {
      expect(readFileSync(join(target, entry.path))).toEqual(Buffer.from(entry.content as Uint8Array))
    }
    const entries = await flat(await readZip(readFileSync(join(target, 'again.zip'))))
    expect(entries.map((entry) => [entry.path, text(entry.bytes)])).toEqual([
      ['é/x.txt', 'x'.repeat(1000)],
      ['stored', 'y'],
    ])
    expect(existsSync(join(target, 'q'.repeat(100)))).toBe(true)
  })
})
