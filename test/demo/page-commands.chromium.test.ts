// @module-tag playground
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSession, type Session } from '../../demo/src/session.js'

const SCRIPTS = { test: 'node check.js one', start: 'node  ./check.js', all: 'node check.js && echo done', odd: 7 }
const FILES = {
  'package.json': JSON.stringify({ scripts: SCRIPTS }),
  'check.js': 'console.log(process.cwd(), process.argv.slice(2).join()); process.exit(process.argv.length)\n',
  'deep/er/a.txt': 'a\n',
  'empty/package.json': '{}',
  'broken/package.json': '{',
  'null/package.json': 'null',
  'list/package.json': '[]',
  'nothing/package.json': '{"scripts":null}',
}

let session: Session

beforeAll(() => {
  session = createSession('commands', { files: FILES })
})

afterAll(() => session.close())

/** Runs a command in a subshell, and returns its output with its exit code. `rm` is undone afterwards. */
async function bash(command: string): Promise<string> {
  const output = await session.runtime.call('bash', { command: `(${command})` })
  const { stdout, stderr, exit_code } = output as { readonly stdout: string; readonly stderr: string; readonly exit_code: number }
  if (command.startsWith('rm ')) {
    await session.workspace.remove('package.json', { recursive: true }).catch(() => undefined)
    await session.workspace.writeText('package.json', FILES['package.json'])
  }
  return `${stdout}${stderr}[${exit_code}]`
}

describe('npm in the terminal', () => {
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
    ['npm run odd', 'package.json has no script "odd". Its scripts: test, start, all.\n'],
    ['npm run toString', 'package.json has no script "toString".'],
    ['npm install zod', 'npm: '],
    ['npm install -D zod', 'npm: Cannot install with the option "-D": give only names of packages.'],
    ['npm uninstall zod', 'npm: There is no "npm uninstall" here. "npm help" tells what there is.'],
    ['cd deep && vite', 'vite: The app must be in the root of the workspace. Type: cd /workspace'],
    ['vite', 'vite: Cannot show the app: this page has no preview.'],
    ['vite optimize', 'vite           shows the app of this folder in the preview'],
    ['npm publish', 'npm: There is no "npm publish" here. "npm help" tells what there is.\n'],
    ['npm toString', 'There is no "npm toString" here.'],
    ['npm', 'npm run               lists the scripts of package.json\n'],
    ['cd empty && npm test', 'package.json has no script "test". It has no scripts.'],
    ['cd broken && npm test', 'npm: /workspace/broken/package.json is not valid JSON: '],
    ['cd null && npm test', 'npm: /workspace/null/package.json is not an object { … }.\n'],
    ['cd list && npm run', 'npm: /workspace/list/package.json is not an object { … }.\n'],
    ['cd nothing && npm test', 'npm: package.json has no script "test". It has no scripts.\n'],
    ['rm package.json && mkdir package.json && npm test', 'npm: /workspace/package.json cannot be read: '],
    ['rm package.json && npm run', 'npm: There is no package.json here, nor above.\n'],
    ['rm package.json && npm test', 'There is no package.json here, nor above.'],
  ])('names an alternative: %s', async (command, told) => {
    const printed = await bash(command)
    expect(printed).toContain(told)
    expect(printed).toMatch(/\[1\]$/)
  })

  test.each([
    [
      'npm run',
      'Scripts of package.json:\n  test\n    node check.js one\n  start\n    node  ./check.js\n  all\n    node check.js && echo done\n[0]',
    ],
    ['cd deep/er && npm run-script | head -n 1', 'Scripts of package.json:\n[0]'],
    ['cd nothing && npm run', 'package.json has no scripts.\n[0]'],
  ])('lists the scripts: %s', async (command, printed) => {
    expect(await bash(command)).toBe(printed)
  })

  test('describes itself in its help', async () => {
    expect(await bash('npm help')).toMatch(/^npm install .+Packages can also be installed under "Packages".+\n\[0\]$/s)
  })
})

test.each([
  ['git clone https://git.example.com/ada/project', 'git clone: ', '"Git repository"'],
  ['git fetch', 'git fetch: ', '"Git repository"'],
  ['git -C deep -c user.name=Ada --no-pager pull origin main', 'git pull: ', '"Git repository"'],
  ['git push', 'git push: ', '"Export"'],
])('git explains the missing network where it is needed: %s', async (command, verb, place) => {
  const printed = await bash(command)
  expect(printed).toContain(`${verb}There is no network in this terminal.`)
  expect(printed).toContain(`press the workspace’s name in the header of the page, then ${place}.\n[128]`)
  expect(printed).not.toMatch(/fetches nothing|gitCommand/)
})

test('git creates commits in the terminal', async () => {
  expect(await bash('git init -q . && git add . && git commit -qm first && git log --oneline | cut -d" " -f2')).toBe('first\n[0]')
  expect(await bash('git log -1 | grep Author')).toBe('Author: Playground <playground@localhost>\n[0]')
})
