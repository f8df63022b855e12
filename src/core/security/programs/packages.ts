import type { Arg } from '../args.js'
import { FINE, findOption, type Inspect, type Inspection, MEDIUM } from './inspection.js'

interface Manager {
  /** Subcommands that are rejected, because they run or fetch code from outside the project. */
  readonly refused: string
  readonly why: string
  readonly medium: string
  /**
   * Other known subcommands. If `known` is set, unknown subcommands are rejected, because they may be extensions or aliases. If not,
   * unknown subcommands are allowed.
   */
  readonly known?: string
  readonly options?: readonly string[]
  /** Whether long options may begin with a single dash. */
  readonly dashes?: boolean
  /** Arguments that may precede the subcommand. */
  readonly prefix?: RegExp
}

const words = (names: string): ReadonlySet<string> => new Set(names.split(' '))

function manager({ refused, why, medium, known, options = [], dashes = false, prefix }: Manager): Inspect {
  const lists = { refused: words(refused), medium: words(medium), known: known === undefined ? undefined : words(known) }
  return (args) => {
    const option = findOption(dashes ? args.map(withTwoDashes) : args, options)
    if (option !== undefined) return { problem: `with ${option} can run another program` }
    const rest = prefix?.test(args[0]?.text ?? '') ? args.slice(1) : args
    if (rest[0]?.text.startsWith('-')) return behindOptions(rest, lists.refused, why)
    const verb = rest[0]?.text.toLowerCase()
    if (verb === undefined) return FINE
    if (lists.refused.has(verb)) return { problem: `${verb} ${why}`, risk: 'medium' }
    if (lists.medium.has(verb)) return MEDIUM
    if (lists.known && !lists.known.has(verb)) return { problem: `${verb} is not among its commands that can be checked` }
    return FINE
  }
}

/**
 * Inspects arguments that begin with an option. Allows only a few options there, because an option's value would look like the subcommand.
 */
function behindOptions(args: readonly Arg[], refused: ReadonlySet<string>, why: string): Inspection {
  const hit = args.find(({ text }) => refused.has(text.toLowerCase()))
  if (hit) return { problem: `${hit.text} ${why}`, risk: 'medium' }
  if (args.every(({ text }) => /^(?:-[vVhq]+|--version|--help|--verbose|--quiet|--list)$/.test(text))) return FINE
  return { problem: `with "${args[0]?.text}" before the subcommand cannot be checked: put the subcommand first` }
}

const withTwoDashes = (arg: Arg): Arg => ({ ...arg, text: arg.text.replace(/^-+(?=[^-]{2})/, '--') })

const FETCHES = 'fetches and runs code from elsewhere'
const NPM_OPTIONS = [
  ...['--script-shell', '--shell', '--node-options', '--userconfig', '--globalconfig', '--init-module', '--git', '--editor', '--viewer'],
  ...['--browser', '--call', '-c', '--onload-script'],
]

const npm = manager({
  refused:
    'exec x install i in ins inst insta instal isnt isnta isntal isntall add ci clean-install ic install-clean isntall-clean install-test it install-ci-test cit clean-install-test sit init create innit explore config c set edit rebuild rb link ln',
  why: FETCHES,
  medium:
    'uninstall remove rm r un unlink update up upgrade udpate publish unpublish dedupe ddp prune pack version deprecate dist-tag shrinkwrap cache',
  known:
    'run run-script rum urn test t tst start stop restart ls list la ll view v info show outdated explain why help root prefix bin ping search s find fund doctor whoami query sbom diff',
  options: NPM_OPTIONS,
  dashes: true,
})

/** Inspects `npm`. Rejects `config`, and `audit fix`, which installs packages. */
const inspectNpm: Inspect = (args, name) => {
  if (/^(?:config|c|set)$/.test(args[0]?.text ?? '')) return { problem: 'config can set what other npm commands run', risk: 'medium' }
  if (args[0]?.text !== 'audit') return npm(args, name)
  return args.some(({ text }) => text === 'fix') ? { problem: `audit fix ${FETCHES}`, risk: 'medium' } : npm(args.slice(1), name)
}

const pip = manager({
  refused: 'install download wheel config lock',
  why: FETCHES,
  medium: 'uninstall cache',
  known: 'list show freeze check help search index inspect hash debug',
  options: ['--python', '--editor', '--log'],
})

const cargo = manager({
  refused: 'install rustc rustdoc',
  why: 'builds and installs unchecked code',
  medium: 'add remove rm clean publish update init new yank owner login logout vendor fix package generate-lockfile',
  known:
    'build b check c test t run r bench doc d fmt clippy tree metadata search fetch info locate-project pkgid version verify-project help report',
  options: ['--config', '-Z'],
  prefix: /^\+[\w.-]+$/,
})

const node = manager({
  refused: 'exec dlx x create node config set plugin init link ln',
  why: FETCHES,
  medium: 'install i add remove rm uninstall un update up upgrade publish ci prune dedupe unlink import patch patch-commit rebuild rb',
  options: ['--script-shell', '--shell', '--use-node-version', '-c'],
})

/** Inspects a package manager of which only some subcommands are rejected. Unknown subcommands are allowed. */
const others = (refused: string, medium: string): Inspect => manager({ refused, medium, why: FETCHES })

export const PACKAGES: Readonly<Record<string, Inspect>> = {
  npm: inspectNpm,
  pip,
  cargo,
  pnpm: node,
  yarn: node,
  bun: others('x exec create init eval repl -e -p', 'install i add remove rm update upgrade publish link unlink'),
  deno: others('run eval repl install compile serve jupyter x', 'add remove upgrade publish'),
  go: (args, name) => {
    const option = findOption(args, ['-exec', '-toolexec', '-vettool', '-overlay'])
    if (option !== undefined) return { problem: `with ${option} runs another program` }
    return others('install get tool generate', 'mod clean work')(args, name)
  },
  uv: others('run x tool pip', 'add remove sync lock venv init publish'),
  poetry: others('run shell', 'install add remove update publish lock'),
  gem: others('install exec', 'update uninstall push'),
  bundle: others('exec install', 'update add remove'),
  composer: others('exec install require global create-project', 'update remove'),
  brew: others('install reinstall', 'update upgrade uninstall remove'),
}
