// @module-tag drop-ins
import { Bash, type IFileSystem } from 'just-bash'
import { type ToolRuntime, toBashFs } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { bytes, type Files, rejection, runtimeOver, withLinkOut } from './support.js'

function over(runtime: ToolRuntime): { readonly fs: IFileSystem; readonly sh: (command: string, signal?: AbortSignal) => Promise<string> } {
  const fs: IFileSystem = toBashFs(runtime.workspace, { scratch: createMemoryFs() })
  const bash = new Bash({ fs, cwd: runtime.workspace.cwd, defenseInDepth: false })
  return {
    fs,
    async sh(command, signal) {
      const { stdout, stderr, exitCode } = await bash.exec(command, { ...(signal && { signal }) })
      return `${stdout}${stderr}${exitCode === 0 ? '' : `[${exitCode}]`}`
    },
  }
}

const bench = (files: Files = {}) => {
  const runtime = runtimeOver(files)
  return { runtime, ...over(runtime) }
}

describe('new Bash over toBashFs', () => {
  it('shares its files with the tools', async () => {
    const { runtime, sh } = bench({ 'src/a.ts': 'export const a = 1\n' })
    expect(
      await sh(
        'mkdir -p lib && sed s/1/2/ src/a.ts > lib/b.ts && mv src/a.ts lib/c.ts && chmod 755 lib/c.ts && ln -s b.ts lib/l && rmdir src',
      ),
    ).toBe('')
    expect(await runtime.call('read_file', { path: 'lib/b.ts', numbered: false })).toMatchObject({ text: 'export const a = 2' })
    expect(await runtime.call('glob', { pattern: '**/*.ts' })).toMatchObject({ paths: ['/workspace/lib/b.ts', '/workspace/lib/c.ts'] })
    await runtime.call('edit_file', { path: 'lib/c.ts', edits: [{ old_string: '1', new_string: '3' }] })
    await runtime.call('write_file', { path: 'lib/d.txt', content: 'naïve\r\n' })
    await runtime.call('apply_patch', { patch: '*** Begin Patch\n*** Add File: e.txt\n+e\n*** End Patch\n' })
    await runtime.call('delete_file', { path: 'lib/b.ts' })
    expect(await sh('cat lib/c.ts lib/d.txt e.txt; ls lib; cat lib/l')).toBe(
      'export const a = 3\nnaïve\r\ne\nc.ts\nd.txt\nl\ncat: lib/l: No such file or directory\n[1]',
    )
    expect(await sh('cat e.txt | tee f.txt | wc -l; find . -type f | sort; grep -rl naïve .; rm -r lib; echo left: *')).toBe(
      '1\n./e.txt\n./f.txt\n./lib/c.ts\n./lib/d.txt\nlib/d.txt\nleft: e.txt f.txt\n',
    )
    expect(await runtime.workspace.files()).toEqual({ 'e.txt': 'e\n', 'f.txt': 'e\n' })
  })

  it('starts every error with its code', async () => {
    const { fs, runtime } = bench({ 'a.txt': 'a', 'd/x': 'x' })
    await runtime.workspace.symlink('loop', 'loop')
    for (const [begin, work] of [
      ['ENOENT: ', fs.readFile('/workspace/none')],
      ['ENOENT: ', fs.stat('/workspace/none')],
      ['ENOENT: ', fs.lstat('/workspace/none')],
      ['ENOENT: ', fs.readdir('/workspace/none')],
      ['ENOENT: ', fs.rm('/workspace/none')],
      ['ENOENT: ', fs.cp('/workspace/none', '/workspace/x')],
      ['ENOENT: ', fs.mv('/workspace/none', '/workspace/x')],
      ['ENOENT: ', fs.chmod('/workspace/none', 0o600)],
      ['ENOENT: ', fs.utimes('/workspace/none', new Date(0), new Date(0))],
      ['ENOENT: ', fs.realpath('/workspace/none')],
      ['ENOENT: ', fs.writeFile('/workspace/none/x', '')],
      ['ENOENT: ', fs.mkdir('/workspace/none/x')],
      ['EISDIR: ', fs.readFile('/workspace/d')],
      ['EISDIR: ', fs.writeFile('/workspace/d', '')],
      ['ENOTDIR: ', fs.readdir('/workspace/a.txt')],
      ['ENOTEMPTY: ', fs.rm('/workspace/d')],
      ['EEXIST: ', fs.mkdir('/workspace/d')],
      ['EEXIST: ', fs.symlink('a.txt', '/workspace/d')],
      ['ELOOP: ', fs.readFile('/workspace/loop')],
      ['EINVAL: ', fs.readlink('/workspace/a.txt')],
      ['EACCES: ', fs.writeFile('/etc/passwd', '')],
      ['EACCES: ', fs.symlink('../../etc', '/workspace/out')],
    ] as const)
      expect((await rejection(work)).message.startsWith(begin), `${begin}${(await rejection(work)).message}`).toBe(true)
    expect(await fs.exists('/workspace/none')).toBe(false)
  })

  it('keeps bytes and large files', async () => {
    const content = bytes(3 * 1024 * 1024)
    const { runtime, sh } = bench({ 'in.bin': content })
    expect(await sh('cat in.bin | cat > out.bin; wc -c < out.bin')).toBe('3145728\n')
    const { bytes: copy } = await runtime.workspace.readBytes('out.bin')
    // A matcher would take seconds to compare each byte.
    expect(copy.length === content.length && copy.every((byte, at) => byte === content[at])).toBe(true)
  })

  it('cannot leave the root by path or link', async () => {
    const runtime = await withLinkOut()
    const { sh } = over(runtime)
    for (const command of ['cat ../../../etc/passwd', 'cat out/passwd', 'ls out/', 'cp a.txt out/x', 'cd out && ls', 'cp a.txt ../x'])
      expect(await sh(command), command).toMatch(/\[\d+\]$/)
    expect(await runtime.workspace.files()).toMatchObject({ 'a.txt': 'a\n' })
  })

  it('applies path rules, also "ask", and quotas', async () => {
    const runtime = runtimeOver(
      { 'secret/k': 'k', 'asked/x': 'x' },
      {
        policy: {
          paths: [
            { paths: 'secret', action: 'deny' },
            { paths: 'asked', action: 'ask' },
          ],
          approve: () => true,
        },
        quotas: { bytes: 1000 },
      },
    )
    const { sh, fs } = over(runtime)
    expect(await sh('cat secret/k')).toMatch(/\[1\]$/)
    expect(await sh('cat asked/x')).toMatch(/\[1\]$/)
    expect((await rejection(fs.readFile('/workspace/secret/k'))).message).toMatch(/^EACCES: /)
    expect((await rejection(fs.readFile('/workspace/asked/x'))).message).toMatch(/^EACCES: /)
    expect((await rejection(fs.writeFile('/workspace/big', 'x'.repeat(1001)))).message).toMatch(/^ENOSPC: /)
    expect(await runtime.workspace.exists('big')).toBe(false)
  })
})
