import { rejects, same } from '../runner.js'
import { expectKind, type FsCase, type FsCaseGroup, put, seed, utf8 } from './case.js'

const usageCases: Readonly<Record<string, FsCase>> = {
  'usage: a new storage is empty': async (fs) => {
    same(await fs.usage(), { bytes: 0, files: 0 })
  },
  'usage: counts files, directories and the bytes of files': async (fs) => {
    await seed(fs, { '/a': '12345', '/d': null, '/d/b': '123', '/d/e': '' })
    same(await fs.usage(), { bytes: 8, files: 4 })
  },
  'usage: follows overwriting with larger and smaller content': async (fs) => {
    await put(fs, '/a', '12345')
    await put(fs, '/a', '1')
    same(await fs.usage(), { bytes: 1, files: 1 })
    await put(fs, '/a', '1234567890')
    same(await fs.usage(), { bytes: 10, files: 1 })
  },
  'usage: follows removal': async (fs) => {
    await seed(fs, { '/a': '12345', '/d': null })
    await fs.unlink('/a')
    await fs.rmdir('/d')
    same(await fs.usage(), { bytes: 0, files: 0 })
  },
  'usage: renaming changes only the usage of the replaced file': async (fs) => {
    await seed(fs, { '/a': '12345', '/b': '123', '/d': null, '/d/c': '1', '/e': null })
    await fs.rename('/a', '/f')
    await fs.rename('/f', '/f')
    same(await fs.usage(), { bytes: 9, files: 5 })
    await fs.rename('/f', '/b')
    await fs.rename('/d', '/e')
    same(await fs.usage(), { bytes: 6, files: 3 })
  },
  'usage: a rejected call changes nothing': async (fs) => {
    await seed(fs, { '/a': '12345', '/d': null, '/d/b': '1' })
    await rejects(put(fs, '/none/a', '123'), 'ENOENT')
    await rejects(put(fs, '/d', '123'), 'EISDIR')
    await rejects(fs.write('/a', utf8('1'), { create: 'exclusive' }), 'EEXIST')
    await rejects(fs.rmdir('/d'), 'ENOTEMPTY')
    await rejects(fs.rename('/a', '/d'), 'EISDIR')
    same(await fs.usage(), { bytes: 6, files: 3 })
  },
}

const usageLinkCases: Readonly<Record<string, FsCase>> = {
  'usage: a link is an entry without bytes': async (fs) => {
    await seed(fs, { '/a': '12345', '/l': '-> a' })
    same(await fs.usage(), { bytes: 5, files: 2 })
    await fs.unlink('/l')
    same(await fs.usage(), { bytes: 5, files: 1 })
  },
}

const usageAppendCases: Readonly<Record<string, FsCase>> = {
  'usage: follows append': async (fs) => {
    await put(fs, '/a', '12345')
    await fs.append('/a', utf8('678'))
    same(await fs.usage(), { bytes: 8, files: 1 })
  },
}

const usageCopyCases: Readonly<Record<string, FsCase>> = {
  'usage: follows copy': async (fs) => {
    await seed(fs, { '/a': '12345', '/b': '1' })
    await fs.copy('/a', '/b')
    await fs.copy('/a', '/c')
    same(await fs.usage(), { bytes: 15, files: 3 })
  },
}

const usageRmTreeCases: Readonly<Record<string, FsCase>> = {
  'usage: follows rmTree': async (fs) => {
    await seed(fs, { '/a': '12345', '/d': null, '/d/e': null, '/d/e/b': '123' })
    await fs.rmTree('/d')
    same(await fs.usage(), { bytes: 5, files: 1 })
    await expectKind(fs, '/a', 'file')
  },
}

export const usageGroups: readonly FsCaseGroup[] = [
  { needs: ['usage'], cases: usageCases },
  { needs: ['usage', 'symlink'], cases: usageLinkCases },
  { needs: ['usage', 'append'], cases: usageAppendCases },
  { needs: ['usage', 'copy'], cases: usageCopyCases },
  { needs: ['usage', 'rmTree'], cases: usageRmTreeCases },
]
