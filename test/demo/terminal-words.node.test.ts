// @module-tag playground
import { createWorkspace, type Workspace } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, test } from 'vitest'
import { inColumns } from '../../demo/src/terminal/completion/columns.js'
import { commandPlace } from '../../demo/src/terminal/completion/command-place.js'
import { commonPrefix } from '../../demo/src/terminal/completion/common-prefix.js'
import { complete } from '../../demo/src/terminal/completion/complete.js'
import { type Completer, createCompleter } from '../../demo/src/terminal/completion/completer.js'
import { closerOf, escapeIn, type Quote, quoted } from '../../demo/src/terminal/completion/quoting.js'
import { scan } from '../../demo/src/terminal/completion/scan.js'
import { createSources, type Sources } from '../../demo/src/terminal/completion/sources.js'
import { createHistorySearch } from '../../demo/src/terminal/history-search.js'
import type { Line } from '../../demo/src/terminal/line.js'
import { type WatchedShell, watchShell } from '../../demo/src/terminal/shell-look.js'
import fc from '../fast-check.js'

/** A line whose cursor is at `¦`, by default at the end. */
function line(drawn: string): Line {
  const at = drawn.indexOf('¦')
  return { text: drawn.replace('¦', ''), cursor: at < 0 ? drawn.length : at }
}
const drawn = ({ text, cursor }: Line): string => `${text.slice(0, cursor)}¦${text.slice(cursor)}`

/** The word at the end of a script after quote removal, with variables as `$name`. */
function wordOf(text: string): string | undefined {
  const ending = scan(text)
  if (ending?.kind === 'variable') return `a variable from ${ending.start}`
  return ending?.units.map((unit) => (unit.isVariable ? `$${unit.text}` : unit.text)).join('')
}
function placeOf(text: string): string | undefined {
  const ending = scan(text)
  if (ending?.kind !== 'word') return ending?.kind
  return ending.place.role === 'command' ? 'command' : (ending.place.command ?? 'nothing')
}

describe('the last word of a line', () => {
  test.each([
    ['', ''],
    ['cat fi', 'fi'],
    ['cat one two', 'two'],
    ['cat ', ''],
    ['cat a\\ b', 'a b'],
    ['cat a\\', 'a'],
    ['cat "a b', 'a b'],
    ['cat "a\\$b\\c', 'a$b\\c'],
    ['cat \'a b"', 'a b"'],
    ["cat 'it'\\''s", "it's"],
    ["cat $'a\\tb\\x41\\u00e9", 'a\tbAé'],
    ['cat a"b c"\'d e\'f', 'ab cd ef'],
    ['cat $HOME/a', '$HOME/a'],
    ['cat $' + '{HOME}/a', '$HOME/a'],
    ['cat a\\\nb', 'ab'],
    ['cat x > out', 'out'],
    ['cat x 2>er', 'er'],
    ['cat x &>al', 'al'],
    ['cat <in', 'in'],
    ['cat <<< te', 'te'],
    ['cat <(sort na', 'na'],
    ['echo "$(cat na', 'na'],
    ['echo "$(cat one) two', undefined],
    ['echo `cat na', 'na'],
    ['a=(one tw', 'tw'],
    ['echo a#b', 'a#b'],
    ['echo # a', undefined],
    ['echo # a\ncat b', 'b'],
    ['cat <<EOF\nte', undefined],
    ['cat <<EOF\ntext\nEOF\ncat fi', 'fi'],
    ['cat <<EO', undefined],
    ['echo $((1 << 2)) fi', 'fi'],
    ['echo $((a', undefined],
    ['echo $' + '{a:-"}"}/x', undefined],
    ['echo $' + '{a:-"}"} x', 'x'],
    ['echo $1', undefined],
    ['echo $', 'a variable from 6'],
    ['echo "$HO', 'a variable from 7'],
    ['echo $' + '{HO', 'a variable from 7'],
    ["echo '$HO", '$HO'],
    ['echo \\$HO', '$HO'],
    ['日本 "語 🙂', '語 🙂'],
  ])('%j', (text, word) => {
    expect(wordOf(text)).toBe(word)
  })
})

describe('the role of a word', () => {
  test.each([
    ['ec', 'command'],
    ['cat a | gr', 'command'],
    ['true && ec', 'command'],
    ['true; ec', 'command'],
    ['sleep 1 & ec', 'command'],
    ['echo $(ca', 'command'],
    ['echo "$(ca', 'command'],
    ['echo `ca', 'command'],
    ['(ca', 'command'],
    ['{ ca', 'command'],
    ['f() { ca', 'command'],
    ['if tr', 'command'],
    ['for i in a b; do ec', 'command'],
    ['case $x in a) ec', 'command'],
    ['A=1 B=2 ec', 'command'],
    ['time ec', 'command'],
    ['env -i A=1 ec', 'command'],
    ['env -u A ec', 'command'],
    ['find . | xargs -0 -n 1 ec', 'command'],
    ['timeout -s KILL 5 ec', 'command'],
    ['timeout 5', 'timeout'],
    ['type ec', 'command'],
    ['which cat ec', 'command'],
    ['> out ec', 'command'],
    ['cat <(ec', 'command'],
    ['cat fi', 'cat'],
    ['cat one tw', 'cat'],
    ['cd ', 'cd'],
    ['2>err cd do', 'cd'],
    ['sudo rm fi', 'rm'],
    ['for i in fi', 'for'],
    ['echo if fi', 'echo'],
    ['cat > fi', 'nothing'],
    ['a=(fi', 'nothing'],
  ])('%j: %s', (text, place) => {
    expect(placeOf(text)).toBe(place)
  })

  test('commandPlace knows where options and words end', () => {
    expect(commandPlace(['nice', '-n'])).toEqual({ role: 'argument', command: 'nice' })
    expect(commandPlace(['command', '--', 'ls'])).toEqual({ role: 'argument', command: 'ls' })
  })
})

const NASTY = [...' \'"\\$`!*?[]{}()<>|&;#~=:%^,@-+._ab1é日🙂\n\t\u001b\u0001\u007f\u0085\u00a0']
const anyName = fc
  .array(fc.constantFrom(...NASTY), { minLength: 1, maxLength: 12 })
  .map((characters) => characters.join(''))
  .filter((name) => name !== '.' && name !== '..')
const anyQuote = fc.constantFrom<Quote>('', '"', "'", "$'")

describe('a quoted name', () => {
  test('is parsed as the original name', () => {
    const agrees = fc.property(anyName, anyQuote, (name, quote) => {
      expect(wordOf(`cat ${quote}${escapeIn(quote, name)}`)).toBe(name)
      expect(wordOf(`cat dir/${quote}${escapeIn(quote, name)}${closerOf(quote)}`)).toBe(`dir/${name}`)
    })
    fc.assert(agrees, { numRuns: 1000 })
  })

  test('contains no control characters', () => {
    const agrees = fc.property(anyName, anyQuote, (name, quote) => {
      expect(escapeIn(quote, name)).not.toMatch(/\p{Cc}/u)
    })
    fc.assert(agrees, { numRuns: 1000 })
  })

  test.each([
    ['my file.txt', 'my\\ file.txt', 'my file.txt', 'my file.txt'],
    [`it's $5`, `it\\'s\\ \\$5`, `it's \\$5`, `it'\\''s $5`],
    ['~a=b', '\\~a\\=b', '~a=b', '~a=b'],
    ['a\nb', `a$'\\n'b`, `a"$'\\n'"b`, `a'$'\\n''b`],
  ])('%j is quoted as people write it', (name, bare, double, single) => {
    expect([escapeIn('', name), escapeIn('"', name), escapeIn("'", name)]).toEqual([bare, double, single])
  })
})

test('the common prefix is a prefix of all names, and the longest', () => {
  const names = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '🙂', '🙃', 'é') }), { minLength: 1, maxLength: 5 })
  const agrees = fc.property(names, (all) => {
    const prefix = commonPrefix(all)
    expect(all.every((name) => name.startsWith(prefix))).toBe(true)
    expect(prefix).not.toMatch(/[\ud800-\udbff]$/)
    const longer = String.fromCodePoint(...[...(all[0] ?? '')].slice(0, [...prefix].length + 1).map((one) => one.codePointAt(0) ?? 0))
    if (longer !== prefix) expect(all.every((name) => name.startsWith(longer))).toBe(false)
  })
  fc.assert(agrees)
  expect(commonPrefix([])).toBe('')
})

describe('names in columns', () => {
  test('are ordered downwards', () => {
    expect(inColumns(['a', 'bb', 'c', 'd', 'e'], 10)).toBe('a   d\nbb  e\nc\n')
  })

  test('are aligned for wide names, without control characters', () => {
    expect(inColumns(['日本', 'a\u001b[2J', 'c', 'd'], 16)).toBe('日本   c\na?[2J  d\n')
  })

  test('fit the width and contain every name once', () => {
    const names = fc.array(fc.string({ minLength: 1, maxLength: 30, unit: fc.constantFrom(...'abc.-_') }), { maxLength: 60 })
    const agrees = fc.property(names, fc.integer({ min: 1, max: 120 }), (all, width) => {
      const text = inColumns(all, width)
      const rows = text.split('\n').slice(0, -1)
      expect(text.split(/\s+/).filter(Boolean).sort()).toEqual([...all].sort())
      for (const row of rows) expect(row.length <= width || !/\S\s+\S/.test(row)).toBe(true)
    })
    fc.assert(agrees)
  })

  test('are formatted in linear time', () => {
    const names = Array.from({ length: 200_000 }, (_, index) => `file-${index}`)
    expect(inColumns(names, 80).split(/\s+/).filter(Boolean)).toHaveLength(200_000)
  })
})

interface Place {
  readonly workspace: Workspace
  readonly sources: Sources
  run(command: string): Promise<string>
  close(): Promise<void>
}

/** A real shell on a real workspace. Each command continues in the directory where the previous command ended. */
async function place(paths: readonly string[]): Promise<Place> {
  const workspace = createWorkspace({ fs: createMemoryFs() })
  for (const path of paths) {
    if (path.endsWith('/')) await workspace.mkdir(path)
    else await workspace.writeText(path, '')
  }
  const watched: WatchedShell = watchShell(createJustBashShell({ scratch: createMemoryFs() }))
  const shell = watched.shell(workspace)
  let cwd = workspace.cwd
  let last = {}
  const here = {
    workspace,
    look: watched,
    get cwd() {
      return cwd
    },
  }
  return {
    workspace,
    sources: createSources(here),
    async run(command) {
      const { stdout, stderr, env, state, cwd: end } = await shell.exec(command, { ...last, cwd })
      expect(stderr).toBe('')
      cwd = end
      last = { env, ...(state && { state }) }
      return stdout
    },
    close: async () => shell.close?.(),
  }
}

/** Completes `text` in a workspace with these paths, after running these commands. */
async function completed(text: string, paths: readonly string[], ...commands: readonly string[]): Promise<[string, readonly string[]]> {
  const here = await place(paths)
  try {
    for (const command of commands) await here.run(command)
    const done = await complete(line(text), here.sources)
    return [drawn(done.line), done.candidates]
  } finally {
    await here.close()
  }
}

describe('completion', () => {
  const PATHS = ['README.md', 'src/greet.ts', 'src/grip.ts', 'src/deep/one.txt', 'my file.txt', 'my folder/', '.env', '.git/config']

  test.each([
    ['cat REA', 'cat README.md ¦'],
    ['cat README.md', 'cat README.md ¦'],
    ['cat sr', 'cat src/¦'],
    ['cat src/gree', 'cat src/greet.ts ¦'],
    ['cat src/g', 'cat src/gr¦'],
    ['cat src/../REA', 'cat src/../README.md ¦'],
    ['cat ./REA', 'cat ./README.md ¦'],
    ['cat /workspace/REA', 'cat /workspace/README.md ¦'],
    ['cat /wor', 'cat /workspace/¦'],
    ['cat m', 'cat my\\ f¦'],
    ['cat my\\ fi', 'cat my\\ file.txt ¦'],
    ['cat "my fi', 'cat "my file.txt" ¦'],
    ['cat "my fi¦"', 'cat "my file.txt" ¦'],
    ["cat 'my fi", "cat 'my file.txt' ¦"],
    ['cat "my fo', 'cat "my folder/¦'],
    ['cat "src/gre', 'cat "src/greet.ts" ¦'],
    ['cat "src"/gre', 'cat "src"/greet.ts ¦'],
    ['cat "src/g"re', 'cat "src/greet.ts" ¦'],
    ['cat src/"gre', 'cat src/"greet.ts" ¦'],
    ['cat $PWD/REA', 'cat $PWD/README.md ¦'],
    ['cat .e', 'cat .env ¦'],
    ['cd ..', 'cd ../¦'],
    ['cd ~', 'cd ~/¦'],
    ['cd m', 'cd my\\ folder/¦'],
    ['cat > REA', 'cat > README.md ¦'],
    ['node --file=REA', 'node --file=README.md ¦'],
    ['A=src/gre', 'A=src/greet.ts ¦'],
    ['cat REA¦ | wc', 'cat README.md ¦| wc'],
    ['cat sr¦/greet.ts', 'cat src/¦greet.ts'],
    ['echo "$(cat REA', 'echo "$(cat README.md ¦'],
    ['for i in src/d', 'for i in src/deep/¦'],
    ['bas', 'bas¦'],
    ['base6', 'base64 ¦'],
    ['ls | xargs base6', 'ls | xargs base64 ¦'],
    ['time base6', 'time base64 ¦'],
    ['echo $(base6', 'echo $(base64 ¦'],
    ['unali', 'unalias ¦'],
    ['whil', 'while ¦'],
    ['src/deep/o', 'src/deep/one.txt ¦'],
    ['sr', 'src/¦'],
    ['cat nothing', 'cat nothing¦'],
    ['echo $HOM', 'echo $HOME¦'],
    ['echo $' + '{HOM', 'echo $' + '{HOME}¦'],
    ['cat missing/f', 'cat missing/f¦'],
    ['cat README.md/f', 'cat README.md/f¦'],
    ['echo # REA', 'echo # REA¦'],
  ])('%j', async (text, after) => {
    expect((await completed(text, PATHS))[0]).toBe(after)
  })

  test('lists matches with a slash after folders, and hidden names only on request', async () => {
    expect((await completed('cat src/', PATHS))[1]).toEqual(['deep/', 'greet.ts', 'grip.ts'])
    expect((await completed('cat ', PATHS))[1]).toEqual(['README.md', 'my file.txt', 'my folder/', 'src/'])
    expect((await completed('cat .', PATHS))[1]).toEqual(['./', '../', '.env', '.git/'])
    expect((await completed('cd ', PATHS))[1]).toEqual(['my folder/', 'src/'])
    expect((await completed('cat nothing', PATHS))[1]).toEqual([])
  })

  test('uses the session’s directory, aliases, functions and variables, whatever its options', async () => {
    const commands = [
      'cd src; set -euf; long_function() { :; }; shopt -s expand_aliases; alias long_alias=ls',
      'LONG_VARIABLE=1; export OTHER_VARIABLE=/workspace/src; IFS=x',
    ]
    expect((await completed('cat gree', PATHS, ...commands))[0]).toBe('cat greet.ts ¦')
    expect((await completed('long_f', PATHS, ...commands))[0]).toBe('long_function ¦')
    expect((await completed('long_a', PATHS, ...commands))[0]).toBe('long_alias ¦')
    expect((await completed('echo $LONG_', PATHS, ...commands))[0]).toBe('echo $LONG_VARIABLE¦')
    expect((await completed('echo $OTHER_VARIABLE/gree', PATHS, ...commands))[0]).toBe('echo $OTHER_VARIABLE/greet.ts ¦')
    expect((await completed('echo $BASH_ALIAS_', PATHS, ...commands))[1]).toEqual([])
  })

  test('completes paths in private directories of the shell', async () => {
    const commands = ['touch ~/homely.txt "/tmp/a b.txt"; mkdir /tmp/folder']
    expect((await completed('cat ~/hom', PATHS, ...commands))[0]).toBe('cat ~/homely.txt ¦')
    expect((await completed('cat /tmp/a', PATHS, ...commands))[0]).toBe('cat /tmp/a\\ b.txt ¦')
    expect((await completed('cat fo', PATHS, ...commands, 'cd /tmp'))[0]).toBe('cat folder/¦')
    expect((await completed('cat "~/hom', PATHS, ...commands))[1]).toEqual([])
  })

  test('finds scripts in PATH', async () => {
    const commands = ['mkdir bin; echo "echo hi" > bin/own-script; export PATH="/usr/bin:bin:/missing"']
    expect((await completed('own-s', PATHS, ...commands))[0]).toBe('own-script ¦')
  })

  test('treats a link to a folder as a folder', async () => {
    const commands = ['ln -s src link; ln -s README.md other-link']
    expect((await completed('cat lin', PATHS, ...commands))[0]).toBe('cat link/¦')
    expect((await completed('cat link/gree', PATHS, ...commands))[0]).toBe('cat link/greet.ts ¦')
    expect((await completed('cat other', PATHS, ...commands))[0]).toBe('cat other-link ¦')
    expect((await completed('cd ', PATHS, ...commands))[1]).toEqual(['link/', 'my folder/', 'src/'])
  })

  test('changes nothing in the session', async () => {
    const here = await place(PATHS)
    const state = 'echo "$PWD $A $IFS $- $folder"; set'
    await here.run('cd src; A=1')
    const before = await here.run(state)
    await complete(line('ca'), here.sources)
    await complete(line('echo $A'), here.sources)
    expect(await here.run(state)).toBe(before)
    expect(before).toMatch(/^\/workspace\/src 1/)
    await here.close()
  })

  test('completion of 10,000 files is fast', async () => {
    const here = await place([])
    await Promise.all(Array.from({ length: 10_000 }, (_, index) => here.workspace.writeText(`file-${index}.txt`, '')))
    const { candidates, line: after } = await complete(line('cat '), here.sources)
    expect(candidates).toHaveLength(10_000)
    expect(drawn(after)).toBe('cat file-¦')
    expect(drawn((await complete(line('cat file-9999'), here.sources)).line)).toBe('cat file-9999.txt ¦')
    await here.close()
  })

  /** A workspace rejects backslashes in names. */
  const fileName = anyName.filter((name) => !name.includes('\\'))

  test('returns words that the shell reads as the names', async () => {
    const here = await place([])
    const agrees = fc.asyncProperty(fileName, anyQuote, fc.nat({ max: 12 }), fc.boolean(), async (name, quote, length, isFolder) => {
      const typed = [...name].slice(0, length).join('')
      await here.workspace.mkdir('only')
      if (isFolder) await here.workspace.mkdir(`only/${name}`)
      else await here.workspace.writeText(`only/${name}`, '')
      const start = `printf %s ${quote}only/${escapeIn(quote, typed)}`
      const { line: after, candidates } = await complete({ text: start, cursor: start.length }, here.sources)
      const isHidden = name.startsWith('.') && typed === ''
      if (isHidden) expect(candidates).toEqual([])
      else if (candidates.length === 1) {
        const whole = isFolder ? after.text + closerOf(quote) : after.text
        expect(await here.run(whole), whole).toBe(`only/${name}${isFolder ? '/' : ''}`)
      }
      await here.workspace.remove('only', { recursive: true })
    })
    await fc.assert(agrees, { numRuns: 300 })
    await here.close()
  })

  test('quotes paths passed to the shell', async () => {
    const here = await place([])
    const agrees = fc.asyncProperty(anyName, async (name) => {
      expect(await here.run(`printf %s ${quoted(name)}`)).toBe(name)
    })
    await fc.assert(agrees, { numRuns: 200 })
    await here.close()
  })
})

describe('the Tab key', () => {
  interface Tried {
    readonly completer: Completer
    readonly told: string[]
    /** Answers the oldest search. */
    answer(after: string, ...candidates: readonly string[]): Promise<void>
  }

  function tried(): Tried {
    const told: string[] = []
    const searches: ((found: { line: Line; candidates: readonly string[] }) => void)[] = []
    const completer = createCompleter({
      complete: () => new Promise((resolve) => searches.push(resolve)),
      onLine: (after) => told.push(after.text),
      onList: (candidates) => told.push(`list ${candidates.join(' ')}`),
      onNothing: () => told.push('nothing'),
      onSettled: () => told.push('settled'),
    })
    return {
      completer,
      told,
      async answer(after, ...candidates) {
        searches.shift()?.({ line: line(after), candidates })
        await new Promise((resolve) => setTimeout(resolve))
      },
    }
  }

  test('inserts what is unambiguous, and lists on the second press', async () => {
    const { completer, told, answer } = tried()
    completer.press(line('a'))
    expect(completer.isBusy).toBe(true)
    await answer('abc', 'abc1', 'abc2')
    expect(told).toEqual(['abc', 'settled'])
    expect(completer.isBusy).toBe(false)
    completer.press(line('abc'))
    await answer('abc', 'abc1', 'abc2')
    expect(told.slice(2)).toEqual(['list abc1 abc2', 'settled'])
  })

  test('twice before the answer lists at once', async () => {
    const { completer, told, answer } = tried()
    completer.press(line('a'))
    completer.press(line('a'))
    await answer('abc', 'abc1', 'abc2')
    expect(told).toEqual(['abc', 'list abc1 abc2', 'settled'])
  })

  test('twice before the answer continues after a complete word', async () => {
    const { completer, told, answer } = tried()
    completer.press(line('cat sr'))
    completer.press(line('cat sr'))
    await answer('cat src/', 'src/')
    expect(told).toEqual(['cat src/'])
    await answer('cat src/', 'a', 'b')
    expect(told).toEqual(['cat src/', 'list a b', 'settled'])
  })

  test('the Tab key after another key starts again', async () => {
    const { completer, told, answer } = tried()
    completer.press(line('abc'))
    await answer('abc', 'abc1', 'abc2')
    completer.drop()
    completer.press(line('abc'))
    await answer('abc', 'abc1', 'abc2')
    expect(told).toEqual(['settled', 'settled'])
  })

  test('is cancelled by another key before the answer', async () => {
    const { completer, told, answer } = tried()
    completer.press(line('a'))
    completer.drop()
    expect(completer.isBusy).toBe(false)
    await answer('abc', 'abc')
    expect(told).toEqual([])
  })

  test('the Tab key without an answer does nothing', async () => {
    const told: string[] = []
    const completer = createCompleter({
      complete: () => Promise.reject(new Error('The shell is closed.')),
      onLine: () => told.push('line'),
      onList: () => told.push('list'),
      onNothing: () => told.push('nothing'),
      onSettled: () => told.push('settled'),
    })
    completer.press(line('a'))
    await expect.poll(() => told).toEqual(['nothing', 'settled'])
  })
})

test('the history is searched backwards, and cancelling restores the typed text', () => {
  const draft = line('dra')
  const search = createHistorySearch(['echo one', 'ls', 'echo two'], draft)
  expect(search.line).toEqual(draft)
  search.type('ec')
  expect(search.line).toEqual({ text: 'echo two', cursor: 0 })
  search.older()
  expect(search.line).toEqual({ text: 'echo one', cursor: 0 })
  search.older()
  expect([search.isFound, search.line.text]).toEqual([false, 'echo one'])
  search.type('ho t')
  expect([search.isFound, search.query]).toEqual([false, 'echo t'])
  search.back()
  expect([search.isFound, search.line.text]).toEqual([true, 'echo two'])
  for (let i = 0; i < 6; i += 1) search.back()
  expect([search.isFound, search.query, search.line]).toEqual([true, '', draft])
})
