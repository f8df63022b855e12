// @module-tag virtual-shell
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { findShell } from './just-bash-find-support.js'

interface Row {
  readonly name: string
  readonly options: readonly string[]
  readonly refused: readonly string[]
}

/** The table that `npm run docs` writes: the options in our commands' help and in that of GNU's programs. */
const rows: readonly Row[] = readFileSync(new URL('../../docs/shell-commands.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^\| [\w-]+ \| .* \|$/.test(line) && !line.startsWith('| command'))
  .map((line) => {
    const [name = '', options = '', refused = ''] = line.slice(2).split(' | ')
    const listed = (cell: string): string[] =>
      cell
        .replaceAll('`', '')
        .split(' ')
        .filter((option) => option !== '')
    return {
      name,
      options: listed(options).flatMap((group) => {
        const names = group.split('/')
        const value = /=\??$/.exec(group)?.[0] ?? ''
        return names.map((each) => each.replace(/=\??$/, '') + value)
      }),
      refused: listed(refused),
    }
  })

const UNKNOWN = /(?:invalid|unrecognized|unknown|unsupported|unexpected) option/i
const REFUSED = /option|not supported|cannot|not available|have no|operand/i

it.each(rows)('$name accepts the options of its table row and rejects all others', async ({ name, options, refused }) => {
  const { shell } = await findShell([{ path: 'a', text: 'x\n' }])
  const run = async (option: string) => {
    const value = option.endsWith('=') ? (option === '--sort=' ? ' path' : ' 1') : ''
    return shell.exec(`echo x > a; timeout 1 ${name} ${option.replace(/=\??$/, '')}${value} a a < a`)
  }
  for (const option of options) {
    if (option === '-NUMBER') continue
    const { stderr } = await run(option)
    expect({ option, isUnknown: UNKNOWN.test(stderr) }, stderr).toEqual({ option, isUnknown: false })
  }
  for (const option of refused) {
    const { stderr, exitCode } = await run(option)
    expect({ option, isRefused: exitCode !== 0 && REFUSED.test(stderr) }, stderr).toEqual({ option, isRefused: true })
  }
})

it('the table lists the options of more than 120 commands', () => {
  expect(rows.length).toBeGreaterThan(120)
})
