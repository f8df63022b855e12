// @module-tag facades
import { Bash } from 'just-bash'
import { createRuntime, createWorkspace, fileTools, toBashFs, toNodeFs, type Workspace, type WorkspaceOptions } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'

type Run = (command: string) => Promise<string>

interface Shell {
  readonly workspace: Workspace
  readonly run: Run
}

function open(files: Record<string, string> = {}, options: Omit<WorkspaceOptions, 'fs'> = {}): Shell {
  const workspace = createWorkspace({ fs: createMemoryFs({ files }), ...options })
  const fs = toBashFs(workspace, { scratch: createMemoryFs() })
  const bash = new Bash({ fs, defenseInDepth: false, cwd: workspace.cwd })
  return {
    workspace,
    /** The command's output followed by its error output. */
    async run(command) {
      const { stdout, stderr } = await bash.exec(command)
      return stdout + stderr
    },
  }
}

describe('toBashFs under just-bash', () => {
  it('reads, writes, appends and pipes', async () => {
    const { run, workspace } = open({ 'a.txt': 'one\ntwo\n', 'src/b.txt': 'three\n' })
    expect(await run('cat a.txt src/b.txt | sort | head -n 2')).toBe('one\nthree\n')
    expect(await run('echo x > new; echo y >> new; cat < new; wc -c new')).toBe('x\ny\n4 new\n')
    expect(await run('grep -rn t a.txt src | sort')).toBe('a.txt:2:two\nsrc/b.txt:1:three\n')
    expect(await run('sed -i s/one/1/ a.txt; cat a.txt')).toBe('1\ntwo\n')
    expect(await run('echo naïve > u; wc -c u; tr a-z A-Z < u')).toBe('7 u\nNAïVE\n')
    expect(await workspace.files()).toMatchObject({ new: 'x\ny\n', 'a.txt': '1\ntwo\n', u: 'naïve\n' })
  })

  it('keeps binary content', async () => {
    const { run, workspace } = open()
    const bytes = Uint8Array.from({ length: 1024 }, (_, i) => i % 256)
    await workspace.writeBytes('in.bin', bytes)
    expect(await run('cat in.bin > out.bin; cp in.bin copy.bin; cat in.bin in.bin >> two.bin; base64 in.bin | base64 -d > b64.bin')).toBe(
      '',
    )
    for (const name of ['out.bin', 'copy.bin', 'b64.bin']) expect((await workspace.readBytes(name)).bytes, name).toEqual(bytes)
    expect((await workspace.stat('two.bin')).size).toBe(2048)
  })

  it('creates, copies, moves and removes trees', async () => {
    const { run, workspace } = open()
    expect(await run('mkdir -p x/y; mkdir -p x/y; echo hi > x/y/z; cp -r x w; mv x v; find . | sort')).toBe(
      '.\n./v\n./v/y\n./v/y/z\n./w\n./w/y\n./w/y/z\n',
    )
    expect(await run('cp -r v w; ls w; mv v/y/z w/z; ls v/y; rm -r w/v; rmdir v/y; rm -rf w nothing; ls')).toBe('v\ny\nv\n')
    expect(await run('mkdir v; rmdir .; rm v; rm missing; cat missing; cat < missing; ls missing; cp missing x; mv missing x')).toBe(
      [
        "mkdir: cannot create directory 'v': File exists",
        "rmdir: failed to remove '.': Directory not empty",
        "rm: cannot remove 'v': Is a directory",
        "rm: cannot remove 'missing': No such file or directory",
        'cat: missing: No such file or directory',
        'bash: missing: No such file or directory',
        'ls: missing: No such file or directory',
        "cp: cannot stat 'missing': No such file or directory",
        "mv: cannot stat 'missing': No such file or directory",
        '',
      ].join('\n'),
    )
    expect(await workspace.list('.')).toEqual([{ name: 'v', kind: 'dir', size: 0 }])
  })

  it('gives each file its own identity', async () => {
    const { run } = open({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
    expect(await run('cp a.txt b.txt; cat b.txt; mv a.txt b.txt; ls; cp b.txt ./b.txt')).toBe(
      "a\nb.txt\ncp: 'b.txt' and '/workspace/b.txt' are the same file\n",
    )
    const workspace = createWorkspace({ fs: createMemoryFs({ files: { a: '', b: '', 'd/x': '' } }) })
    const fs = toBashFs(workspace, { scratch: createMemoryFs() })
    await fs.symlink('a', '/workspace/l')
    await fs.symlink('d', '/workspace/m')
    await fs.writeFile('/tmp/a', '')
    const identity = async (path: string) => (await fs.stat(path)).identity
    expect(await identity('l')).toBe(await identity('/workspace/./a'))
    expect(await identity('m/x')).toBe(await identity('d/x'))
    expect((await fs.lstat('d')).identity).toBe(await identity('m'))
    const paths = ['a', 'b', 'd', 'd/x', '/tmp/a', '/tmp', '/', '/usr', '/workspace']
    expect(new Set(await Promise.all(paths.map(identity))).size).toBe(paths.length)
  })

  it('creates and follows links, and copies them as links', async () => {
    const { run, workspace } = open({ 'a.txt': 'a\n', 'd/x': 'x\n' })
    expect(await run('ln -s a.txt l; cat l; readlink l; ln -s /workspace/d m; cat m/x; ln a.txt h; cat h')).toBe('a\na.txt\nx\na\n')
    expect(await run('ln -s . d/self; cp -r d e; readlink e/self; find e | sort; rm l; cat a.txt d/x')).toBe('.\ne\ne/self\ne/x\na\nx\n')
    expect(await run('ln -s ../etc/passwd out; ln -s /etc/passwd out2; ln -s missing dangling; echo new > dangling; cat missing')).toMatch(
      /^new\nln: EACCES: .*\nln: EACCES: .*\n$/,
    )
    expect((await workspace.lstat('dangling')).kind).toBe('symlink')
  })

  it('expands globs, tests files, and changes modes and times', async () => {
    const { run, workspace } = open({ 'a.txt': '', 'b.txt': '', 'd/e/c.txt': '' })
    expect(await run('echo *.txt; shopt -s globstar; echo **/*.txt; echo no*')).toBe('a.txt b.txt\na.txt b.txt d/e/c.txt\nno*\n')
    expect(await run('[ -f a.txt ] && [ -d d ] && [ ! -e x ] && echo yes; chmod 755 a.txt; stat -c %a a.txt')).toBe('yes\n755\n')
    await run('touch -d 2020-01-01T00:00:00Z b.txt')
    expect((await workspace.stat('b.txt')).mtimeMs).toBe(Date.UTC(2020, 0, 1))
    expect((await workspace.stat('a.txt')).mode).toBe(0o755)
  })

  it('has private directories that are hidden from the workspace', async () => {
    const { run, workspace } = open({ 'a.txt': 'a\n' })
    expect(
      await run('echo t > /tmp/t; cp a.txt /tmp; cat /tmp/t /tmp/a.txt; mkdir -p /home/x; echo h > /home/x/h; cat /home/x/h; ls /tmp'),
    ).toBe('t\na\nh\na.txt\nt\n')
    expect(await run('mv /tmp/t .; cat t; cp -r /tmp copy; ls copy; echo $$ > /dev/null')).toBe('t\na.txt\n')
    expect(await workspace.files()).toEqual({ 'a.txt': 'a\n', t: 't\n', 'copy/a.txt': 'a\n' })
    for (const path of ['/tmp/a.txt', '/home', '/dev/null'])
      await expect(workspace.stat(path)).rejects.toMatchObject({ code: 'path_outside_workspace' })
    expect(await run('ln -s /tmp/a.txt peek')).toMatch(/^ln: EACCES/)
  })

  it('has private directories even if the workspace root is /', async () => {
    const { run, workspace } = open({ 'a.txt': 'a' }, { root: '/' })
    expect(await run('cp /a.txt /tmp/b; cat /tmp/b; ls /tmp /')).toContain('a.txt')
    expect(await workspace.files()).toEqual({ 'a.txt': 'a' })
  })

  it('treats an empty path as missing in every method', async () => {
    const { workspace } = open({ 'a.txt': 'a' })
    const fs = toBashFs(workspace, { scratch: createMemoryFs() })
    const calls = {
      readFile: [''],
      readFileBuffer: [''],
      writeFile: ['', 'x'],
      appendFile: ['', 'x'],
      stat: [''],
      lstat: [''],
      mkdir: ['', { recursive: true }],
      readdir: [''],
      readdirWithFileTypes: [''],
      rm: ['', { recursive: true }],
      cp: ['', 'b', { recursive: true }],
      mv: ['', 'b'],
      replace: ['', { content: new Uint8Array() }],
      chmod: ['', 0o600],
      symlink: ['a.txt', ''],
      link: ['', 'b'],
      readlink: [''],
      realpath: [''],
      utimes: ['', new Date(0), new Date(0)],
    } satisfies Partial<Record<keyof typeof fs, readonly unknown[]>>
    for (const [method, args] of Object.entries(calls)) {
      const call = fs[method as keyof typeof calls] as (...args: readonly unknown[]) => Promise<unknown>
      await expect(call(...args), method).rejects.toMatchObject({ code: 'ENOENT' })
    }
    for (const method of ['cp', 'mv', 'link'] as const)
      await expect(fs[method]('a.txt', ''), method).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await fs.exists('')).toBe(false)
    await workspace.symlink('nowhere', 'dang')
    await workspace.mkdir('d')
    await workspace.symlink('d', 'dl')
    for (const path of ['a.txt/', 'a.txt/.', 'a.txt/..', 'dl/', 'dang/', 'd/.']) {
      await expect(fs.rm(path, { recursive: true }), path).rejects.toMatchObject({
        code: expect.stringMatching(/^(ENOTDIR|ENOENT|EINVAL)$/),
      })
      await expect(fs.mv(path, 'q'), path).rejects.toMatchObject({ code: expect.stringMatching(/^(ENOTDIR|ENOENT|EBUSY)$/) })
    }
    await expect(fs.writeFile('a.txt/', 'x')).rejects.toMatchObject({ code: 'EISDIR' })
    expect((await workspace.list('.')).map(({ name }) => name)).toEqual(['a.txt', 'd', 'dang', 'dl'])
    expect(await workspace.files()).toEqual({ 'a.txt': 'a' })
  })

  it('does not link over existing files, and keeps modes and times between the trees', async () => {
    const { workspace } = open({ a: 'a', b: 'b', 'd/run': 'run' })
    const fs = toBashFs(workspace, { scratch: createMemoryFs() })
    await expect(fs.link('a', 'b')).rejects.toMatchObject({ code: 'EEXIST' })
    expect(await workspace.files()).toMatchObject({ b: 'b' })
    await workspace.setMeta('d/run', { mode: 0o755, mtimeMs: 1_000_000_000_000 })
    await workspace.setMeta('d', { mode: 0o700, mtimeMs: 1_000_000_000_000 })
    await fs.cp('d', '/tmp/copy', { recursive: true })
    expect([(await fs.stat('/tmp/copy/run')).mode, (await fs.stat('/tmp/copy')).mode]).toEqual([0o755, 0o700])
    await fs.mv('d', '/tmp/d')
    await fs.mv('/tmp/d', 'moved')
    expect(await workspace.lstat('moved/run')).toMatchObject({ mode: 0o755, mtimeMs: 1_000_000_000_000 })
    expect(await workspace.lstat('moved')).toMatchObject({ mode: 0o700, mtimeMs: 1_000_000_000_000 })
  })

  it('moves over existing entries between the trees, with mode and time', async () => {
    const { workspace } = open({ file: 'old', other: 'other', 'full/x': 'x' })
    const fs = toBashFs(workspace, { scratch: createMemoryFs() })
    await workspace.symlink('other', 'link')
    for (const [path, mtimeMs] of Object.entries({ file: 1_000_000_000_000, link: -1500, fresh: -1 })) {
      await fs.writeFile('/tmp/run', 'new')
      await fs.chmod('/tmp/run', 0o755)
      await fs.utimes('/tmp/run', new Date(0), new Date(mtimeMs))
      await fs.mv('/tmp/run', path)
      expect(await workspace.lstat(path), path).toMatchObject({ kind: 'file', size: 3, mode: 0o755, mtimeMs })
      await fs.writeFile('/tmp/there', 'there')
      await fs.mv(path, '/tmp/there')
      const { mode, mtime } = await fs.lstat('/tmp/there')
      expect([await fs.readFile('/tmp/there'), mode, mtime.getTime()], path).toEqual(['new', 0o755, mtimeMs])
    }
    await fs.writeFile('/tmp/f', 'f')
    await fs.mkdir('/tmp/d')
    await fs.writeFile('/tmp/d/y', 'y')
    for (const [from, to, code] of [
      ['/tmp/f', '/workspace/full', 'EISDIR'],
      ['/tmp/d', '/workspace/other', 'ENOTDIR'],
      ['/tmp/d', '/workspace/full', 'ENOTEMPTY'],
      ['/tmp/d', '/workspace/no/d', 'ENOENT'],
    ] as const) {
      const words = new RegExp(`^${code}: Cannot [a-z ]+ "(${from}" to ")?${to}": (?!.*toolport)`)
      await expect(fs.mv(from, to), to).rejects.toMatchObject({ code, message: expect.stringMatching(words) })
    }
    expect(await workspace.files()).toEqual({ other: 'other', 'full/x': 'x' })
    expect(await fs.readdir('/tmp')).toEqual(['d', 'f', 'there'])
  })

  it('does not copy a directory into itself under any name', async () => {
    const { workspace } = open({ 'd/x': 'x', 'd/e/y': 'y' })
    const fs = toBashFs(workspace, { scratch: createMemoryFs() })
    for (const [name, target] of Object.entries({ l: 'd', deep: 'd/e', dangling: 'd/new' })) await workspace.symlink(target, name)
    const before = await workspace.files()
    for (const to of ['d', 'd/sub', 'l', 'l/sub', 'deep/sub', 'dangling', 'dangling/sub'])
      await expect(fs.cp('d', to, { recursive: true }), to).rejects.toMatchObject({ code: 'EINVAL' })
    expect(await workspace.files()).toEqual(before)
    await fs.cp('d', '/tmp/d', { recursive: true })
    expect(await fs.readdir('/tmp/d')).toEqual(['e', 'x'])
  })

  it('reports errors of the storage instead of a missing file', async () => {
    const storage = createMemoryFs({ files: { a: '' } })
    const fs = toBashFs(createWorkspace({ fs: storage }), { scratch: createMemoryFs() })
    expect([await fs.exists('a'), await fs.exists('b'), await fs.exists('a/b'), await fs.exists('')]).toEqual([true, false, false, false])
    Object.assign(storage, { lstat: () => Promise.reject(new Error('torn cable')) })
    await expect(fs.exists('a')).rejects.toMatchObject({ code: 'EIO' })
    await expect(fs.link('/tmp', 'a')).rejects.toMatchObject({ code: 'EIO' })
  })

  it('shows the parents of the root and nothing else there', async () => {
    const { run } = open({ 'a.txt': 'a\n' }, { root: '/srv/deep/workspace' })
    expect(
      await run('cd ../../../..; pwd; ls /; ls srv; ls srv/deep; cat srv/deep/workspace/a.txt; cd /srv; ls; cd deep/workspace; ls'),
    ).toBe('/\nbin\ndev\nhome\nsrv\ntmp\nusr\ndeep\nworkspace\na\ndeep\na.txt\n')
    expect(await run('cat ../../../etc/passwd; cat /etc/passwd; ls /etc')).toBe(
      [
        ...Array.from({ length: 2 }, (_, i) => `cat: ${i ? '/etc/passwd' : '../../../etc/passwd'}: No such file or directory`),
        'ls: /etc: No such file or directory',
        '',
      ].join('\n'),
    )
  })

  it('rejects every change outside', async () => {
    const { run, workspace } = open({ 'a.txt': 'a\n' })
    for (const command of [
      'touch /x',
      'mkdir /etc',
      'mkdir -p /etc/x',
      'cp a.txt /x',
      'mv a.txt /x',
      'tee /x < a.txt',
      'ln -s a /x',
      'cp a.txt ../x',
    ]) {
      expect(await run(command), command).toMatch(/EACCES|Permission denied|cannot|No such file/)
    }
    // A failed redirection ends the script: just-bash rejects.
    await expect(run('echo x > /etc/passwd')).rejects.toMatchObject({ code: 'EACCES', path: '/etc/passwd' })
    await expect(run('echo x > ../x')).rejects.toMatchObject({ code: 'EACCES' })
    await run('rm -rf / ; rm -rf /workspace ; rm -rf .. ; true')
    expect(await workspace.files()).toEqual({ 'a.txt': 'a\n' })
    expect(await run('ls /')).toBe('bin\ndev\nhome\ntmp\nusr\nworkspace\n')
  })

  it('changes nothing in a read-only workspace', async () => {
    const { run, workspace } = open({ 'a.txt': 'a\n' }, { policy: { readOnly: true } })
    for (const command of [
      'touch x',
      'mkdir x',
      'rm a.txt',
      'cp a.txt b',
      'mv a.txt b',
      'sed -i s/a/b/ a.txt || true',
      'chmod 777 a.txt',
    ]) {
      await run(command).catch((error: unknown) => expect(error).toMatchObject({ code: 'EROFS' }))
    }
    await expect(run('echo x > a.txt')).rejects.toMatchObject({ code: 'EROFS' })
    expect(await run('cat a.txt; echo t > /tmp/t; cat /tmp/t')).toBe('a\nt\n')
    expect(await workspace.files()).toEqual({ 'a.txt': 'a\n' })
  })
})

describe('one shared tree', () => {
  it('a tool, a library and a shell see the same bytes', async () => {
    const { run, workspace } = open()
    const runtime = createRuntime({ workspace, tools: fileTools() })
    const node = toNodeFs(workspace).promises
    await runtime.call('write_file', { path: 'src/a.txt', content: 'by a tool, naïve\r\n' })
    expect(await run('cat src/a.txt')).toBe('by a tool, naïve\r\n')
    await run('printf "by a shell\\n" > src/b.txt')
    expect(await runtime.call('read_file', { path: 'src/b.txt', numbered: false })).toMatchObject({ text: 'by a shell' })
    expect(await node.readFile('/workspace/src/b.txt', 'utf8')).toBe('by a shell\n')
    await node.writeFile('/workspace/src/c.txt', 'by a library')
    expect(await run('cat src/c.txt')).toBe('by a library')
    expect(await workspace.files()).toEqual({
      'src/a.txt': 'by a tool, naïve\r\n',
      'src/b.txt': 'by a shell\n',
      'src/c.txt': 'by a library',
    })
  })
})
