import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const dist = (path: string): string => JSON.stringify(new URL(`../../dist/${path}`, import.meta.url).href)

const PREPARE = `
import { createRuntime, fileTools } from ${dist('src/index.js')}
import { createNodeFs } from ${dist('adapters/node/index.js')}
const [root, who] = process.argv.slice(1)
if (who === 'nobody' && process.getuid() === 0) { process.setgid(65534); process.setuid(65534) }
const runtime = createRuntime({ fs: createNodeFs({ root }), root: '/workspace', tools: fileTools() })
const call = (name, input) => runtime.execute({ name, input })
`

/**
 * Runs a script with its own runtime on a directory, in another process; as `nobody` if the tests run as root. `prepare` is a shell
 * command that runs before the script, in its own mount namespace. Returns the JSON that the script prints.
 */
export async function inOtherProcess<T>(script: string, root: string, who: string, prepare?: string): Promise<T> {
  const node = [process.execPath, '--no-warnings', '--input-type=module', '-e', `${PREPARE}${script}`, '--', root, who]
  const command = prepare === undefined ? node : ['unshare', '-rm', 'sh', '-c', `${prepare} && exec "$@"`, 'sh', ...node]
  const { stdout } = await promisify(execFile)(command[0] as string, command.slice(1), { env: { PATH: '/usr/bin:/bin' }, cwd: '/' })
  return JSON.parse(stdout) as T
}
