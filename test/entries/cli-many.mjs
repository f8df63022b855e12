// Runs many command lines one after another in one process, because starting Node takes most of the time of a short command line.

import { Readable } from 'node:stream'

/** @typedef {{ args: string[]; cwd: string; env: NodeJS.ProcessEnv; stdin: string }} Asked */

/** @type {{ main: (args: string[]) => Promise<number> }} */
const { main } = await import(String(process.argv[2]))

// Each command line adds listeners to this stream.
process.stdout.setMaxListeners(0)
process.on('message', async (/** @type {Asked} */ { args, cwd, env, stdin }) => {
  const printed = { stdout: '', stderr: '' }
  for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
    process[name].write = (/** @type {string | Uint8Array} */ text) => {
      printed[name] += typeof text === 'string' ? text : Buffer.from(text).toString()
      return true
    }
  }
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from(stdin ? [Buffer.from(stdin)] : []) })
  process.chdir(cwd)
  process.env = { ...env }
  const code = await main(args).catch((error) => {
    printed.stderr += String(error?.stack)
    return null
  })
  process.send?.({ code, ...printed })
})
process.send?.('ready')
