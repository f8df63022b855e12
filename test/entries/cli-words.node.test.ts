// @module-tag cli
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLI, sharedCli } from './cli-support.js'

const run = sharedCli()
let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'toolport-words-'))
  writeFileSync(join(root, 'a.txt'), 'one\ntwo\nthree\n')
  mkdirSync(join(root, 'folder'))
  writeFileSync(join(root, 'folder-not'), '')
  writeFileSync(join(root, 'input.json'), '{"path": "a.txt", "limit": 1}')
  writeFileSync(join(root, 'binary'), new Uint8Array([0xff, 0xfe, 0xfd]))
})
afterAll(() => rmSync(root, { recursive: true }))

const toolport = (args: readonly string[], stdin = '') => run(root, args, stdin)
const called = async (words: readonly string[], stdin = '') => {
  const { stdout } = await toolport(['call', ...words, '--json'], stdin)
  return JSON.parse(stdout)
}

describe('key=value', () => {
  it('becomes text or JSON according to the schema', async () => {
    expect(await called(['read_file', 'path=a.txt', 'limit=1', 'offset=2', 'numbered=false'])).toMatchObject({
      ok: true,
      output: { text: expect.stringContaining('two') },
    })
    expect(await called(['write_file', 'path=b.txt', 'content=42', '--memory'])).toMatchObject({ ok: true })
    expect(await called(['read_file', 'path=a.txt', 'limit=many'])).toMatchObject({ ok: false, output: { code: 'invalid_input' } })
    const edits = 'edits:=[{"old_string": "one", "new_string": "1"}]'
    expect(await called(['edit_file', 'path=a.txt', edits, '--memory', '--seed', '.'])).toMatchObject({ ok: true })
    expect(await called(['grep', 'pattern=a=b', 'path=.'])).toMatchObject({ ok: true })
  })

  it('reads files and stdin, and "@@" escapes "@"', async () => {
    const memory = ['--memory', '--json']
    const written = async (content: string, stdin = '') => {
      const calls = await toolport(['call', 'write_file', 'path=b.txt', content, ...memory], stdin)
      return JSON.parse(calls.stdout).output.bytes_after
    }
    expect([await written('content=@a.txt'), await written('content=@-', 'piped'), await written('content=@@x')]).toEqual([14, 5, 2])
    expect(await called(['read_file', '@input.json'])).toMatchObject({ ok: true })
    expect(await called(['read_file', '-'], '{"path": "a.txt"}')).toMatchObject({ ok: true })
  })
})

describe('an invalid command line', () => {
  it.each<[args: string[], words: string]>([
    [['call', 'grep', 'a=1', 'a=2'], 'The field "a" is given twice'],
    [['call', 'grep', 'a=1', '{}'], 'Cannot read "{}": expected key=value'],
    [['call', 'grep', 'a.txt'], 'Cannot read "a.txt": expected key=value'],
    [['call', 'grep', '42'], 'Cannot read "42": expected key=value'],
    [['call', 'grep', 'a=@-', 'b=@-'], 'Cannot read stdin twice'],
    [['call', 'grep', 'a:=x'], 'The field "a" is not JSON: line 1, column 1'],
    [['call', 'grep', 'a=@none.txt'], 'Cannot read "none.txt": ENOENT; a text that begins with "@" is a=@@none.txt'],
    [['call', 'edit_file', 'path=a', 'edits=[{old_string: "a"}]'], 'The field "edits" is not JSON: line 1, column 3'],
    [['call', 'grep', 'a=@binary'], 'Cannot read "binary": it is not UTF-8 text'],
    [['call', 'grep', '@none.json'], 'Cannot read "none.json": ENOENT'],
    [['call', 'grep', '{"pattern": "a", "pattern": "b"}'], 'column 18: this object already has this key'],
    [['call', 'grep', '{"pattern": "a", "p\\u0061ttern": "b"}'], 'already has this key'],
    [['call', '-', 'more'], 'takes nothing more, not "more"'],
    [['tools', '--root', '.', '--root', 'x'], '--root is given 2 times'],
    [['tools', 'grep', '--js', 'deno'], 'There is no JavaScript engine "deno": use one of sandbox, node, none'],
    [['call', 'grep', '{}', '--js', 'nod'], 'There is no JavaScript engine "nod"'],
    [['mcp', '--js', 'nod'], 'There is no JavaScript engine "nod"'],
    [['tools', '--shell', 'zsh'], 'There is no shell "zsh": use one of node, virtual, none'],
    [['tools', '--jsn'], 'There is no option --jsn: did you mean --json?'],
    [['tools', '--josn'], 'There is no option --josn: did you mean --json?'],
    [['tools', '-x'], 'There is no option -x'],
    [['proxy', '--orgin', 'x'], 'There is no option --orgin: did you mean --origin?'],
    [['proxy', '--port', '1', '--port', '2'], '--port is given twice'],
    [['help', 'cal'], 'There is no command "cal": did you mean "call"?'],
    [['help', 'call', 'run'], '"help" takes one command'],
    [['completion'], '"completion" needs the name of a shell'],
    [['completion', 'powershell'], 'There are no completions for "powershell": use one of bash, zsh, fish'],
  ])('%j is rejected', async (args, words) => {
    const { code, stdout, stderr } = await toolport(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(words)
  })

  it('a command line without a command or tool shows the usage', async () => {
    expect((await toolport([])).stderr).toMatch(/No command is given\n\nUsage\n {2}toolport call <tool> \[key=value\.\.\.\]/)
    const { code, stderr } = await toolport(['call'])
    expect(code).toBe(2)
    expect(stderr).toContain('Usage\n  toolport call <tool>')
    expect(stderr).not.toContain('toolport run')
  })

  it('a line of "run" with a duplicate key gets an error result', async () => {
    const { stdout } = await toolport(['run', '-'], '{"name": "glob", "input": {"pattern": "*", "pattern": "a"}}\n')
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: expect.stringContaining('already has this key') })
  })
})

describe('a tool without its adapter', () => {
  it.each([
    ['bash', '{"command": "ls"}', '--shell: "virtual" is a bash in JavaScript, "node" a real shell'],
    ['run_js', '{"code": "1"}', '--js: "sandbox" reaches only the workspace, "node" is Node itself'],
  ])('%s names the option and its values', async (name, input, words) => {
    const { code, stderr } = await toolport(['call', name, input])
    expect(code).toBe(1)
    expect(stderr).toContain(`toolport: "${name}" needs ${words}`)
  })

  it('install_js_packages without a registry names --registry', async () => {
    const { stderr } = await toolport(['call', 'install_js_packages', 'packages=["left-pad"]', '--js'])
    expect(stderr).toContain('toolport: "install_js_packages" needs --registry: the URL of a package registry')
  })

  it('gets no such hint if the adapter exists', async () => {
    expect((await toolport(['call', 'bash', 'command=ls none', '--shell', 'virtual'])).stderr).not.toContain('--shell')
  })
})

describe('help', () => {
  it('help for one command lists only its options, in every way to ask', async () => {
    const { code, stdout, stderr } = await toolport(['help', 'run'])
    expect([code, stderr]).toEqual([0, ''])
    for (const word of ['toolport run <file.jsonl | ->', '--parallel N', '--root DIR', '--help, -h']) expect(stdout).toContain(word)
    for (const word of ['--format', 'toolport call', '--root-from-client']) expect(stdout).not.toContain(word)
    for (const args of [
      ['run', '--help'],
      ['run', '-h'],
      ['run', 'x.jsonl', '--help'],
    ])
      expect((await toolport(args)).stdout).toBe(stdout)
    expect((await toolport(['help', 'call'])).stdout).toContain('key=@file')
    expect((await toolport(['help', 'proxy'])).stdout).toContain('TOOLPORT_PROXY_TOKEN')
    expect((await toolport(['help', 'mcp'])).stdout).toContain('asks the user of the client')
    const { stdout: version } = await toolport(['--version'])
    expect((await toolport(['-V'])).stdout).toBe(version)
    expect((await toolport(['proxy', '-V'])).stdout).toBe(version)
  })

  it('describes every option, in lines of at most 110 columns', async () => {
    const { stdout } = await toolport(['--help'])
    const accepted = Object.keys((await import('../../src/entries/cli/command-line.js')).OPTIONS)
    const { OPTION_HELP } = await import('../../src/entries/cli/help.js')
    expect(Object.keys(OPTION_HELP).sort()).toEqual([...accepted].sort())
    expect(stdout.split('\n').filter((line) => line.length > 110)).toEqual([])
  })
})

it.runIf(process.platform === 'linux').each(['tools', 'mcp --root .', 'mcp --root-from-client'])(
  'toolport %s reports that the output cannot be written',
  (args) => {
    // Stdin stays open for a while, so that the server answers before its input ends, or only then.
    const script = `(echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'; sleep 1) | "$0" "$1" ${args} >/dev/full`
    const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, CLI], { cwd: root, encoding: 'utf8' })
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^toolport: Cannot write the output: ENOSPC[^\n]*\n$/)])
  },
)

it.runIf(process.platform === 'linux')('an error of "eval" without output does not also report a full disk', () => {
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, [CLI, 'eval', 'none.mjs'], {
    cwd: root,
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([2, 'toolport: none.mjs: there is no such file\n'])
})

/** Name of a shell -> script that prints the completions after these words. */
const OFFERED: Readonly<Record<string, (script: string, words: readonly string[]) => string>> = {
  bash: (script, words) => `compopt() { :; }
${script}
COMP_WORDS=(toolport ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _toolport; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // Calls the function as zsh's bash emulation does.
  zsh: (script, words) => `${script}
asked() {
  emulate -L sh; setopt kshglob noshglob braceexpand ksharrays
  local COMP_WORDS COMPREPLY COMP_CWORD=${words.length}
  COMP_WORDS=(toolport ${words.map((word) => `'${word}'`).join(' ')})
  _toolport
  printf '%s\\n' "\${COMPREPLY[@]}"
}
asked`,
  fish: (script, words) => `${script}
complete -C 'toolport ${words.join(' ')}' | string split -f1 \\t`,
}

const CLEAN: Readonly<Record<string, readonly string[]>> = { bash: ['--norc'], zsh: ['-f'], fish: ['--no-config'] }

describe.each(Object.keys(OFFERED))('completions for %s', (shell) => {
  const isThere = spawnSync(shell, ['-c', 'exit']).error === undefined
  const call = shell === 'fish' ? `"${process.execPath}" "${CLI}" $argv; end` : `"${process.execPath}" "${CLI}" "$@"; }`

  const offered = async (...words: readonly string[]): Promise<string[]> => {
    const { stdout } = await toolport(['completion', shell])
    const script = `${shell === 'fish' ? 'function toolport;' : 'toolport() {'} ${call}\n${OFFERED[shell]?.(stdout, words)}`
    const ended = spawnSync(shell, [...(CLEAN[shell] ?? []), '-c', script], { cwd: root, encoding: 'utf8' })
    expect(ended.stderr).toBe('')
    // zsh filters by the typed word after the function has returned.
    const typed = words.at(-1) ?? ''
    return ended.stdout
      .trim()
      .split('\n')
      .filter((word) => shell !== 'zsh' || word.startsWith(typed))
      .sort()
  }

  it.runIf(isThere)('include commands, options, option values, files and tools', async () => {
    expect(await offered('c')).toEqual(['call', 'completion'])
    expect(await offered('run', '--p')).toEqual(['--parallel', '--preset'])
    expect(await offered('tools', '--shell', '')).toEqual(['node', 'none', 'virtual'])
    expect(await offered('mcp', '--tools', 's')).toEqual(['shell'])
    expect(await offered('proxy', '--p')).toEqual(['--port'])
    expect(await offered('run', 'inp')).toEqual(['input.json'])
    expect(await offered('eval', 'inp')).toEqual(['input.json'])
    expect(await offered('call', 'read_')).toContain('read_file')
    expect(await offered('help', 'mc')).toEqual(['mcp'])
    expect(await offered('completion', '')).toEqual(['bash', 'fish', 'zsh'])
    expect(await offered('mcp', '--root', 'fo')).toEqual([shell === 'fish' ? 'folder/' : 'folder'])
  })
})
