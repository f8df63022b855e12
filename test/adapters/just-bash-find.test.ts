// @module-tag virtual-shell
import { describe, expect, it } from 'vitest'
import { parseJsonLines } from '../json-lines.js'
import recorded from './just-bash-find.jsonl?raw'
import { FIND_SEED } from './just-bash-find-seed.js'
import { findShell } from './just-bash-find-support.js'

interface Recorded {
  readonly script: string
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

// Recorded by scripts/record-shell.mjs.
it.each(parseJsonLines<Recorded>(recorded))('does what GNU find 4.9 does: $script', async ({ script, ...printed }) => {
  const { shell } = await findShell(FIND_SEED)
  const result = await shell.exec(script)
  // After an unknown predicate, our `find` lists the known ones.
  const stderr = result.stderr.replace(/(unknown predicate .*\n)Options: -H .*\n/, '$1')
  expect({ ...result, stderr }).toMatchObject(printed)
})

describe('find rejects unsupported options and names an alternative', () => {
  it.each([
    ['-atime +30 -delete', 'Use -mtime'],
    ['-ctime 1', 'Use -mtime'],
    ['-amin -5', 'Use -mmin'],
    ['-cmin -5', 'Use -mmin'],
    ['-anewer README.md', 'Use -newer'],
    ['-cnewer README.md', 'Use -newer'],
    ['-neweraa README.md', 'Use -newer'],
    ['-newerBt 2020-01-01', 'Use -newer'],
    ['-newercm README.md', 'Use -newer'],
    ['-used 1', 'Use -mtime'],
    ['-inum 5', 'Use -samefile'],
    ['-fstype ext4', 'Leave it out'],
    ['-ok rm {} \\;', 'Use -exec'],
    ['-okdir rm {} \\;', 'Use -execdir'],
    ['-files0-from list', 'Use xargs -0'],
    ['-regextype awk -regex x', 'Use -regextype posix-extended'],
    ["-printf '%A@ %p\\n'", 'Use %T@'],
    ["-printf '%CY\\n'", 'Use %TY'],
    ["-printf '%a\\n'", 'Leave it out'],
    ["-printf '%i %p\\n'", 'Leave it out'],
    ["-printf '%D\\n'", 'Leave it out'],
    ["-printf '%9999999p\\n'", 'a width of more than'],
  ])('%s', async (expression, words) => {
    const { shell, workspace } = await findShell(FIND_SEED)
    const before = await workspace.files()
    const { stdout, stderr, exitCode } = await shell.exec(`find . ${expression}`)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
    expect(stderr).toMatch(/^find: /)
    expect(stderr).toContain(words)
    expect(await workspace.files()).toEqual(before)
  })
})

it.each([
  // The shell has only this user, which `ls` and `stat` show too.
  ["find bin -name run -printf '%u %g %U %G %n %k %b\\n'", 'user user 1000 1000 1 4 8\n'],
  ['find bin -name run -user user -group user -uid 1000 -gid 1000', 'bin/run\n'],
  ['find bin -user root', ''],
  ['find bin -not -user root -name run', 'bin/run\n'],
  ["find src -maxdepth 0 -printf '%s %n %m\\n'", '4096 3 755\n'],
  ["find bin -name run -ls | sed 's/^ *[0-9]* *//'", '4 -rwxr-xr-x   1 user     user           24 Nov 14  2023 bin/run\n'],
  ["find . -maxdepth 1 -name link-file -ls | sed 's/.* link/link/;s/^.*\\.\\///'", 'link-file -> README.md\n'],
  ["find docs -name 'a*' -fls out; sed 's/.* docs/docs/' out", 'docs/a\\ b.md\n'],
  ['find bin -name run -readable -writable -executable', 'bin/run\n'],
  ['chmod a-w bin/run; find bin ! -writable', 'bin/run\n'],
  // Directories that belong to the shell.
  ['touch /tmp/t; find /tmp -type f', '/tmp/t\n'],
  ['find /dev/null -type f', '/dev/null\n'],
  ['find /usr/bin -name find', '/usr/bin/find\n'],
  ['find / -maxdepth 1', '/\n/bin\n/dev\n/home\n/tmp\n/usr\n/workspace\n'],
  ["find . -name 'ünï*' -o -name '?nï.md'", './docs/ünï.md\n'],
  ["touch '😀'; find . -maxdepth 1 -name '?' -type f", './😀\n'],
  ['touch 1; find . -maxdepth 1 -samefile 1 -o -samefile link-file', './1\n./link-file\n'],
  ['find -L . -maxdepth 1 -samefile README.md', './README.md\n./link-file\n'],
])('find gives the same answers as the other commands of this shell: %s', async (script, stdout) => {
  const { shell } = await findShell(FIND_SEED)
  expect(await shell.exec(script)).toMatchObject({ stdout, stderr: '', exitCode: 0 })
})

describe('a long find', () => {
  const MANY = Array.from({ length: 3000 }, (_, i) => ({ path: `d${i % 30}/f${i}`, text: 'x' }))

  it('streams its output and stops on abort', async () => {
    const { shell, workspace } = await findShell(MANY)
    const stop = new AbortController()
    let seen = ''
    const result = await shell.exec('find . -type f -print -exec rm {} \\;', {
      signal: stop.signal,
      onOutput: ({ text }) => {
        seen += text
        if (seen.length > 100) stop.abort()
      },
    })
    expect(result).toMatchObject({ aborted: true, exitCode: null })
    expect(result.stdout).toContain('./d0/f0\n')
    const left = Object.keys(await workspace.files()).length
    expect(left).toBeGreaterThan(100)
    expect(left).toBeLessThan(3000)
  })

  it('stops at the deadline', async () => {
    const { shell } = await findShell(MANY)
    expect(await shell.exec('find . -exec sleep 60 \\;', { timeoutMs: 50 })).toMatchObject({ timedOut: true })
  })

  it('stops at the output limit', async () => {
    const { shell } = await findShell(MANY, { limits: { outputBytes: 10_000 } })
    const { stderr, exitCode } = await shell.exec('find . > list')
    expect(exitCode).not.toBe(0)
    expect(stderr).toContain('output size exceeded')
  })

  it('groups as many names into one command line as findutils', async () => {
    const { shell } = await findShell(MANY)
    const long = 'n'.repeat(200)
    const { stdout } = await shell.exec(`mkdir ${long}; mv d* ${long}; find . -type f -exec sh -c 'echo $#' _ {} +`)
    const counts = stdout.trim().split('\n').map(Number)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3000)
    expect(counts.length).toBe(5)
  })

  it('matches a pattern with many stars in linear time', async () => {
    const { shell } = await findShell([{ path: 'a'.repeat(250), text: '' }])
    expect(await shell.exec(`find . -name '${'*a'.repeat(60)}*b'`)).toMatchObject({ stdout: '', exitCode: 0 })
    expect(await shell.exec("find . -regex '\\(.*a\\)*b'")).toMatchObject({ stdout: '', exitCode: 0 })
  })
})
