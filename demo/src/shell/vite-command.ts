import type { Bundler, JsAdapter, ShellCommand, ShellCommandContext, ShellCommandResult, Workspace } from 'toolport'
import type { BuildMessage } from 'toolport/preview'
import { projectPackages } from '../packages/installed.js'
import { lateBundler } from '../preview/late-bundler.js'

/**
 * Installs packages by name, or all dependencies of package.json. Resolves to the text to print.
 *
 * @throws {Error} if a package cannot be installed
 */
export type Install = (packages: readonly string[], signal: AbortSignal) => Promise<string>

export interface ViteParts {
  /** Compiles Svelte files. */
  readonly js: (workspace: Workspace) => JsAdapter
  /** Shows a page of the app. */
  readonly show: (path: string) => Promise<void>
  readonly install: Install
}

const USAGE = `vite           shows the app of this folder in the preview
vite build     builds it into the folder dist
`
const SERVE = new Set(['dev', 'serve'])
/** Options of Vite that take a value. */
const WITH_WORD = new Set(['--port', '--host', '--mode', '-m', '--logLevel', '-l', '--base', '--config', '-c'])
const OUT = 'dist'

/** A subset of `vite` that shows the app in the preview, and builds the app. The project's root is the root of the workspace. */
export function viteCommand(workspace: Workspace, { js, show, install }: ViteParts): ShellCommand {
  async function serve(context: ShellCommandContext): Promise<ShellCommandResult> {
    await installMissing(context)
    await show('/')
    return { stdout: 'The app is in the preview. It reloads when files change.\n' }
  }

  async function build(context: ShellCommandContext): Promise<ShellCommandResult> {
    await installMissing(context)
    const bundler = lateBundler(workspace, js(workspace), 'production')
    try {
      return await write(bundler, context)
    } finally {
      await bundler.dispose()
    }
  }

  async function write(bundler: Bundler, { fs, cwd, signal }: ShellCommandContext): Promise<ShellCommandResult> {
    const { ok, errors, warnings, outputs } = await bundler.build({ signal, assets: true })
    const told = [...errors, ...warnings].map(render).join('')
    if (!ok) return { stderr: `${told}vite: The build failed.\n`, exitCode: 1 }
    const folder = fs.resolvePath(cwd, OUT)
    await fs.rm(folder, { recursive: true, force: true })
    for (const { path, bytes } of outputs) {
      const at = fs.resolvePath(folder, path)
      await fs.mkdir(fs.resolvePath(at, '..'), { recursive: true })
      await fs.writeFile(at, bytes)
    }
    const list = outputs.map(({ path, bytes }) => `${OUT}/${path}  ${(bytes.length / 1024).toFixed(1)} KiB\n`)
    return { stdout: list.join(''), stderr: told }
  }

  /** Installs missing dependencies. Of `devDependencies` only Svelte, the compiler of the app: Vite and other tools are not needed here. */
  async function installMissing({ print, signal }: ShellCommandContext): Promise<void> {
    const all = await projectPackages(workspace)
    const missing = all.filter(({ name, dev, version }) => (!dev || name === 'svelte') && version === undefined)
    if (missing.length === 0) return
    await print?.({ stdout: `Installing ${missing.map(({ name }) => name).join(', ')}…\n` })
    await print?.({
      stdout: await install(
        missing.map(({ name, wanted }) => `${name}@${wanted}`),
        signal,
      ),
    })
  }

  return {
    name: 'vite',
    about: 'shows the app of the workspace in the preview, and builds it: vite, vite build',
    async run(args, context) {
      if (args.includes('--help') || args.includes('-h')) return { stdout: USAGE }
      const [verb = 'dev', ...more] = wordsOf(args)
      const isServe = SERVE.has(verb)
      if ((!isServe && verb !== 'build') || more.length > 0) return { stderr: USAGE, exitCode: 1 }
      if (context.cwd !== workspace.root)
        return { stderr: `vite: The app must be in the root of the workspace. Type: cd ${workspace.root}\n`, exitCode: 1 }
      try {
        return await (isServe ? serve(context) : build(context))
      } catch (error) {
        return { stderr: `vite: ${error instanceof Error ? error.message : String(error)}\n`, exitCode: 1 }
      }
    },
  }
}

const wordsOf = (args: readonly string[]): readonly string[] =>
  args.filter((word, index) => !word.startsWith('-') && !WITH_WORD.has(args[index - 1] ?? ''))

const render = ({ text, file, line = 1, column = 1, code }: BuildMessage): string =>
  `${file === undefined ? '' : `${file}:${line}:${column}: `}${text}\n${code === undefined ? '' : `  ${code}\n`}`
