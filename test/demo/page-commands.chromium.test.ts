import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openPage, type TestPage } from './page.js'

const SCRIPTS = { test: 'node check.js one', start: 'node  ./check.js', all: 'node check.js && echo done', odd: 7 }
const FILES = {
  'package.json': JSON.stringify({ scripts: SCRIPTS }),
  'check.js': 'console.log(process.cwd(), process.argv.slice(2).join()); process.exit(process.argv.length)\n',
  'deep/er/a.txt': 'a\n',
  'empty/package.json': '{}',
  'broken/package.json': '{',
}

let shown: TestPage
beforeEach(async () => {
  shown = await openPage({ files: FILES })
})
afterEach(() => shown.close())

/** What a command prints, with its exit code. */
async function bash(command: string): Promise<string> {
  const output = await shown.playground.session.runtime.call('bash', { command })
  const { stdout, stderr, exit_code } = output as { readonly stdout: string; readonly stderr: string; readonly exit_code: number }
  return `${stdout}${stderr}[${exit_code}]`
}

describe('npm', () => {
  test.each([
    ['npm test', '\n> test\n> node check.js one\n\n/workspace one\n[3]'],
    ['npm t -- two', '\n> test\n> node check.js one\n\n/workspace one,two\n[4]'],
    ['cd deep/er && npm start', '\n> start\n> node  ./check.js\n\n/workspace \n[2]'],
    ['npm run test x | tail -n 1', '/workspace one,x\n[0]'],
    ['printf "one\\ntwo\\n" | while read -r line; do echo "$line"; npm test > /dev/null; done', 'one\ntwo\n[3]'],
  ])('runs a script that is one program: %s', async (command, printed) => {
    expect(await bash(command)).toBe(printed)
  })

  test.each([
    ['npm run all', 'The script "all" is for a shell. Type it here: node check.js && echo done'],
    ['npm run odd', 'package.json has no script "odd". Its scripts: test, start, all, odd. Packages are installed under'],
    ['npm run toString', 'package.json has no script "toString".'],
    ['npm install zod', 'There is no "npm install" here.'],
    ['cd empty && npm test', 'package.json has no script "test". It has no scripts.'],
    ['cd broken && npm test', 'JSON'],
    ['rm package.json && npm test', 'There is no package.json here, nor above.'],
  ])('says what to do instead: %s', async (command, told) => {
    const printed = await bash(command)
    expect(printed).toContain(told)
    expect(printed).toMatch(/\[1\]$/)
  })
})

test('git keeps versions in the terminal too', async () => {
  expect(await bash('git init -q . && git add . && git commit -qm first && git log --oneline | cut -d" " -f2')).toBe('first\n[0]')
  expect(await bash('git log -1 | grep Author')).toBe('Author: Playground <playground@localhost>\n[0]')
})
