import { equal, rejects, same } from '../runner.js'
import { expectText, type FsCase, type FsCaseGroup, names, put, seed } from './case.js'

const rmTreeCases: Readonly<Record<string, FsCase>> = {
  'rmTree: removes a file': async (fs) => {
    await seed(fs, { '/a': 'x', '/ab': 'y' })
    equal(await fs.rmTree('/a'), undefined)
    same(await names(fs, '/'), ['ab'])
  },
  'rmTree: removes a directory with everything below it': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': '1', '/d/e': null, '/d/e/b': '2', '/d/e/g': null, '/de': null, '/de/c': '3' })
    await fs.rmTree('/d')
    same(await names(fs, '/'), ['de'])
    await expectText(fs, '/de/c', '3')
    await rejects(fs.read('/d/e/b'), 'ENOENT')
  },
  'rmTree: removes an empty directory': async (fs) => {
    await fs.mkdir('/d')
    await fs.rmTree('/d')
    same(await fs.readdir('/'), [])
  },
  'rmTree: 500 files and 60 levels': async (fs) => {
    let path = '/d'
    await fs.mkdir(path)
    for (let i = 0; i < 500; i += 50) await Promise.all(Array.from({ length: 50 }, (_, j) => put(fs, `/d/f${i + j}`, 'x')))
    for (let i = 0; i < 60; i++) {
      path += '/d'
      await fs.mkdir(path)
    }
    await put(fs, `${path}/deep`, 'x')
    await fs.rmTree('/d')
    same(await fs.readdir('/'), [])
  },
  'rmTree: a missing path is ENOENT': async (fs) => {
    await rejects(fs.rmTree('/a'), 'ENOENT')
    await rejects(fs.rmTree('/a/b'), 'ENOENT')
  },
  'rmTree: below a file is ENOTDIR and leaves it': async (fs) => {
    await put(fs, '/f', 'x')
    await rejects(fs.rmTree('/f/a'), 'ENOTDIR')
    await expectText(fs, '/f', 'x')
  },
  'rmTree: / is EBUSY and loses nothing': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'x' })
    await rejects(fs.rmTree('/'), 'EBUSY')
    await expectText(fs, '/d/a', 'x')
  },
  'rmTree: the name can be reused': async (fs) => {
    await seed(fs, { '/d': null, '/d/a': 'x' })
    await fs.rmTree('/d')
    await put(fs, '/d', 'now a file')
    await expectText(fs, '/d', 'now a file')
  },
}

const rmTreeLinkCases: Readonly<Record<string, FsCase>> = {
  'rmTree: of a link leaves the tree it leads to': async (fs) => {
    await seed(fs, { '/safe': null, '/safe/a': 'x', '/w': null, '/w/l': '-> ../safe', '/w/m': '-> /safe' })
    await fs.rmTree('/w/l')
    await fs.rmTree('/w/m')
    same(await fs.readdir('/w'), [])
    await expectText(fs, '/safe/a', 'x')
  },
  'rmTree: removes links in the tree and keeps their targets': async (fs) => {
    await seed(fs, {
      '/safe': null,
      '/safe/a': 'x',
      '/w': null,
      '/w/e': null,
      '/w/e/l': '-> ../../safe',
      '/w/self': '-> .',
      '/w/n': '-> nowhere',
    })
    await fs.rmTree('/w')
    same(await names(fs, '/'), ['safe'])
    await expectText(fs, '/safe/a', 'x')
  },
  'rmTree: through a link is ELOOP': async (fs) => {
    await seed(fs, { '/safe': null, '/safe/a': 'x', '/l': '-> safe' })
    await rejects(fs.rmTree('/l/a'), 'ELOOP')
    await expectText(fs, '/safe/a', 'x')
  },
}

export const rmTreeGroups: readonly FsCaseGroup[] = [
  { needs: ['rmTree'], cases: rmTreeCases },
  { needs: ['rmTree', 'symlink'], cases: rmTreeLinkCases },
]
