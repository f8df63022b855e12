import type { ShellCommand, ShellCommandContext, ShellCommandResult } from 'toolport'

const PACKAGES = 'Packages are installed under "Packages" beside the files, or with the tool install_js_packages.'
/** One program with plain words: nothing that only a shell understands. */
const PROGRAM = /^node((?: +[\w./:=@-]+)+) *$/

interface Found {
  readonly directory: string
  readonly scripts: Readonly<Record<string, unknown>>
}

/**
 * `npm`, as far as a page has one: `npm test`, `npm start` and `npm run NAME` run scripts of package.json that are one Node program; any other
 * script is shown, to be typed, and so is the place where packages are installed.
 */
export function npmCommand(node: ShellCommand): ShellCommand {
  return {
    name: 'npm',
    about: 'runs a script of package.json that is one Node program: npm test, npm run NAME',
    async run(args, context) {
      const [command = '', ...rest] = args
      const isRun = command === 'run' || command === 'run-script'
      const name = isRun ? rest[0] : ALIASES[command]
      const given = isRun ? rest.slice(1) : rest
      const found = await nearest(context)
      if (!found) return failure('There is no package.json here, nor above.')
      const all = Object.keys(found.scripts)
      const script = name === undefined ? undefined : found.scripts[name]
      if (typeof script !== 'string') {
        const asked = name === undefined ? `There is no "npm ${command}" here.` : `package.json has no script "${name}".`
        return failure(`${asked} ${all.length > 0 ? `Its scripts: ${all.join(', ')}.` : 'It has no scripts.'} ${PACKAGES}`)
      }
      const program = PROGRAM.exec(script)?.[1]
      if (program === undefined) return failure(`The script "${name}" is for a shell. Type it here: ${script}`)
      await context.print?.({ stdout: `\n> ${name}\n> ${script}\n\n` })
      const words = program.trim().split(/ +/)
      // No copy: to look at the input would take it from what comes after in the script.
      const there = Object.create(context, { cwd: { value: found.directory } }) as ShellCommandContext
      return node.run([...words, ...given.slice(given[0] === '--' ? 1 : 0)], there)
    },
  }
}

const ALIASES: Readonly<Record<string, string>> = { test: 'test', t: 'test', start: 'start' }

const failure = (text: string): ShellCommandResult => ({ stderr: `npm: ${text}\n`, exitCode: 1 })

/** The package.json of the directory, or of the nearest one above it. @throws {SyntaxError} */
async function nearest({ cwd, fs }: ShellCommandContext): Promise<Found | undefined> {
  for (let directory = cwd; ; directory = fs.resolvePath(directory, '..')) {
    const path = fs.resolvePath(directory, 'package.json')
    if (await fs.exists(path)) {
      const { scripts = {} } = JSON.parse(new TextDecoder().decode(await fs.readFileBuffer(path))) as {
        readonly scripts?: Found['scripts']
      }
      return { directory, scripts }
    }
    if (directory === fs.resolvePath(directory, '..')) return undefined
  }
}
