export type ManagerName = 'npm' | 'pnpm' | 'yarn' | 'bun'

export interface CommandOptions {
  /** Of this machine: the project. */
  readonly folder: string
  /** Checked: none begins with `-`. Empty: what package.json asks for. */
  readonly packages: readonly string[]
  readonly dev: boolean
  readonly scripts: boolean
  readonly registry?: string | undefined
  /** Of yarn, whose second edition takes other options. */
  readonly modernYarn?: boolean
}

export interface Command {
  readonly file: ManagerName
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Nobody is there to be asked. */
const QUIET = { COREPACK_ENABLE_DOWNLOAD_PROMPT: '0', NO_COLOR: '1', NO_UPDATE_NOTIFIER: '1' }

/** How each of them is told to install here and nowhere else, and to say no more than it has to. */
export function commandOf(name: ManagerName, options: CommandOptions): Command {
  const { args, env = {} } = COMMANDS[name](options)
  return { file: name, args, env: { ...QUIET, ...env } }
}

type Making = (options: CommandOptions) => { readonly args: string[]; readonly env?: Readonly<Record<string, string>> }

const COMMANDS: Readonly<Record<ManagerName, Making>> = {
  npm: ({ folder, packages, dev, scripts, registry }) => ({
    args: [
      'install',
      // Else it takes the next package.json above, and what a project's .npmrc says of it.
      ...['--prefix', folder, '--no-global', '--location=project', '--save'],
      ...['--no-audit', '--no-fund', '--no-progress', '--no-update-notifier', '--loglevel=warn', '--logs-max=0'],
      ...(scripts ? [] : ['--ignore-scripts']),
      ...(dev ? ['--save-dev'] : []),
      ...(registry === undefined ? [] : ['--registry', registry]),
      ...packages,
    ],
  }),
  pnpm: ({ folder, packages, dev, scripts, registry }) => ({
    args: [
      packages.length > 0 ? 'add' : 'install',
      ...['--dir', folder, '--ignore-workspace', '--reporter=append-only'],
      ...(scripts ? [] : ['--ignore-scripts', '--ignore-pnpmfile']),
      ...(packages.length > 0 ? [] : ['--no-frozen-lockfile']),
      ...(dev && packages.length > 0 ? ['--save-dev'] : []),
      ...(registry === undefined ? [] : [`--registry=${registry}`]),
      ...packages,
    ],
    // It asks before it removes a node_modules of another manager, where it can.
    env: { CI: 'true' },
  }),
  yarn: (options) => (options.modernYarn ? modernYarn(options) : classicYarn(options)),
  bun: ({ folder, packages, dev, scripts, registry }) => ({
    args: [
      packages.length > 0 ? 'add' : 'install',
      ...['--cwd', folder, '--no-progress'],
      ...(scripts ? [] : ['--ignore-scripts']),
      ...(dev && packages.length > 0 ? ['--dev'] : []),
      ...(registry === undefined ? [] : [`--registry=${registry}`]),
      ...packages,
    ],
  }),
}

const classicYarn: Making = ({ folder, packages, dev, scripts, registry }) => ({
  args: [
    packages.length > 0 ? 'add' : 'install',
    ...['--cwd', folder, '--non-interactive', '--no-progress'],
    ...(scripts ? [] : ['--ignore-scripts']),
    ...(dev && packages.length > 0 ? ['--dev'] : []),
    ...(registry === undefined ? [] : ['--registry', registry]),
    ...packages,
  ],
})

/** It has settings where the others have options, and installs into its working directory. */
const modernYarn: Making = ({ packages, dev, scripts, registry }) => ({
  args: [packages.length > 0 ? 'add' : 'install', ...(dev && packages.length > 0 ? ['--dev'] : []), ...packages],
  env: {
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    YARN_ENABLE_PROGRESS_BARS: 'false',
    YARN_ENABLE_TELEMETRY: '0',
    ...(!scripts && { YARN_ENABLE_SCRIPTS: 'false' }),
    ...(registry !== undefined && { YARN_NPM_REGISTRY_SERVER: registry }),
  },
})
