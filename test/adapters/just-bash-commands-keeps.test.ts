// @module-tag virtual-shell
import { gitCommand } from 'toolport/adapters/git'
import { describe, expect, it } from 'vitest'
import '../shims/buffer-if-missing.js'
import { author } from './git-support.js'
import { setup } from './just-bash-support.js'

const FILES = { t: 'one\n', x: 'old\n', 'd1/x': '1\n', 'd2/x': '2\n' }

describe('commands do not lose files', () => {
  it('an empty path is not the current directory', async () => {
    const { shell, workspace } = setup({ files: FILES })
    for (const script of ['rm -rf "$none"', 'rm -r ""', 'mv "" ../z', 'cp -r "" ../z', 'find "" -delete', 'chmod -R 0 ""', 'gzip -r ""']) {
      await shell.exec(`cd d1; ${script}`)
      expect(await workspace.files(), script).toEqual(FILES)
    }
    expect((await shell.exec('rm -rf ""; echo $?; [ -e "" ] || echo none; test -d "" || echo none')).stdout).toBe('0\nnone\nnone\n')
  })

  const refused: readonly (readonly [script: string, says: string])[] = [
    ['mv d1/x d2/x .', 'will not overwrite just-created'],
    ['cp -S .bak t x', "'-S' is not supported"],
    ['mv -S .bak t x', "'-S' is not supported"],
    ['cp --no-preserve=bogus t x', 'invalid argument'],
    ['diff --color=always t d1/x', 'not supported'],
    ['f() { :; }; readonly -f f', 'not supported'],
    ['[ -N t ]', 'access times are not kept'],
    ['f() { local v=1; declare -g v=2; }; f', '-g for a name that is local'],
    ['ln -sf t t', 'are the same file'],
    ['ln -s t l; mv l t', 'are the same file'],
    ['ln -s d1 l; cp -r d1 l/new', 'into itself'],
    ['ln -s d1 l; cp -r l/. d1/new', 'into itself'],
    ['ln -s d1 l; mv d1 l/new', 'subdirectory of itself'],
    ['ln -s d1 l; mv l/ d2', 'Not a directory'],
    ['ln -s t l; gzip l', 'symbolic links'],
    ['tar cf a.tar -C d1 x -C ../d2 x', 'another file of this name'],
    ['sort --sort=bogus t', 'invalid argument'],
    ['sort -c -o x t', 'incompatible'],
    ['uniq --all-repeated=bogus t', 'invalid argument'],
    ['ln -sf t d1/; ln -sfT t d2', 'cannot overwrite directory'],
  ]
  for (const [script, says] of refused) {
    it(script, async () => {
      const { shell, workspace } = setup({ files: FILES })
      const { exitCode, stderr } = await shell.exec(script)
      expect(stderr).toContain(says)
      expect(exitCode).not.toBe(0)
      const { t, 'd2/x': second } = (await workspace.files()) as Record<string, string>
      expect([t, second]).toEqual(['one\n', '2\n'])
    })
  }

  it('ln follows a link to a directory', async () => {
    const { shell } = setup({ files: FILES })
    expect((await shell.exec('ln -s d1 l; ln -sf t l; readlink l d1/t; ln -sfn d2 l; readlink l')).stdout).toBe('d1\nt\nd2\n')
  })

  it('sed -i keeps the file when a back reference is too complex', async () => {
    const { shell } = setup({ files: { l: `${'a'.repeat(50_000)}\n` } })
    const result = await shell.exec("sed -i 's/\\(.*\\)\\(.*\\)\\(.*\\)\\3x/y/' l; echo $?; wc -c < l")
    expect(result.stderr).toContain('too complex')
    expect(result.stdout).toBe('2\n50001\n')
  })

  it('sed -i edits a file twice that is named twice', async () => {
    const { shell, workspace } = setup({ files: FILES })
    await shell.exec('sed -i s/one/oneone/ t t')
    expect((await workspace.readText('t')).text).toBe('oneoneone\n')
  })

  it('cut keeps lines without the delimiter', async () => {
    const { shell } = setup({ files: { f: 'plain\na,b,ü\n' } })
    const script =
      'cut -d, -f2- f; cut -sd, -f1,3 f; cut -d, -f2 --complement f; cut -d, -f1,2 --output-delimiter=+ f; cut -b2- f; cut -c-2,4 f; cut -Q f'
    expect((await shell.exec(script)).stdout).toBe('plain\nb,ü\na,ü\nplain\na,ü\nplain\na+b\nlain\n,b,ü\npli\na,,\n')
  })

  it('tar replaces a link by a directory', async () => {
    const { shell, workspace } = setup({ files: FILES })
    await shell.exec('tar cf a.tar d1; rm -r d1; ln -s d2 d1; tar xf a.tar; rm a.tar')
    expect(await workspace.files()).toEqual(FILES)
  })

  it('tar and install keep the old file when the new content does not fit', async () => {
    const large = 'y'.repeat(3000)
    for (const script of ['tar xf a.tar', 'install large t']) {
      const { shell, workspace } = setup({ files: { t: large, large } })
      await shell.exec('tar cf a.tar t; echo old > t')
      const { bytes } = await workspace.readBytes('a.tar')
      const tight = setup({ files: { t: 'old\n', large, 'a.tar': bytes }, workspace: { quotas: { bytes: bytes.length + 3500 } } })
      expect((await tight.shell.exec(script)).exitCode).not.toBe(0)
      expect((await tight.workspace.readText('t')).text).toBe('old\n')
    }
  })
})

describe('git does not lose files', () => {
  const started = 'git init -q; git add .; git commit -qm one; echo two > t; git commit -qam two; git branch other; '
  const cases: readonly (readonly [script: string, stdout: string])[] = [
    ['echo mine > t; git checkout -qB other HEAD~1; cat t; git log --format=%s other', 'mine\ntwo\none\n'],
    ['echo mine > t; git checkout -qB main HEAD~1; cat t; git log --format=%s', 'mine\ntwo\none\n'],
    ['git switch -qC main HEAD~1; cat t; git status --short; git branch --show-current', 'one\nmain\n'],
    ['git branch -f main HEAD~1; git branch -M other main; git log -1 --format=%s; git branch', 'two\n* main\n  other\n'],
    ['echo a > t; echo b > x; git add t; git commit -qm three x; git log -1 --format=%s; git status --short', 'two\nM  t\n M x\n'],
    ['echo a > t; git checkout -f; cat t', 'two\n'],
    ['git reset -q -N HEAD~1; git log -1 --format=%s', 'two\n'],
  ]
  for (const [script, stdout] of cases) {
    it(script, async () => {
      const { shell } = setup({ files: FILES, shell: { commands: [gitCommand({ author })] } })
      expect((await shell.exec(started + script)).stdout).toBe(stdout)
    })
  }
})
