export type ManagerName = 'npm' | 'pnpm' | 'yarn' | 'bun'

export interface CommandOptions {
  /** Host path of the project. */
  readonly folder: string
  /** Packages to install. They are validated: none begins with `-`. If empty, the dependencies of package.json are installed. */
  readonly packages: readonly string[]
  readonly dev: boolean
  readonly scripts: boolean
  readonly registry?: string | undefined
  /** Whether the manager is yarn 2 or later, which takes other options. */
  readonly modernYarn?: boolean
}

export interface Command {
  readonly file: ManagerName
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** No user can answer a prompt, so managers must not ask. */
const QUIET = { COREPACK_ENABLE_DOWNLOAD_PROMPT: '0', NO_COLOR: '1', NO_UPDATE_NOTIFIER: '1' }

/** Builds the command that makes a manager install into the project only, with little output. */
export function commandOf(name: ManagerName, options: CommandOptions): Command {
  const { args, env = {} } = COMMANDS[name](options)
  return { file: name, args, env: { ...QUIET, ...env } }
}

type Making = (options: CommandOptions) => { readonly args: string[]; readonly env?: Readonly<Record<string, string>> }

const COMMANDS: Readonly<Record<ManagerName, Making>> = {
  npm: ({ folder, packages, dev, scripts, registry }) => ({
    args: [
      'install',
      // Otherwise, npm would use the closest package.json above, and the project's .npmrc could redirect the install.
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
    // Without `CI`, pnpm may ask before it removes the node_modules of another manager.
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

/**
 * Builds the command line of Yarn 2 and later, which take settings from the environment instead of options, and install into the working
 * directory.
 */
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
