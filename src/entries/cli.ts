#!/usr/bin/env node
import module from 'node:module'

// Caches compiled code for the next start (Node 22 or later). Must run before any other module loads.
const { enableCompileCache } = module as { readonly enableCompileCache?: () => unknown }
enableCompileCache?.()
const { main } = await import('./cli/main.js')
process.exitCode = await main(process.argv.slice(2))
// Exit one second after all output is written, because a case that timed out may go on, and a module of cases may leave handles open.
if (process.argv[2] === 'eval') {
  const exit = () => setTimeout(() => process.exit(), 1000).unref()
  // Without pending output, do not wait: on a full disk even an empty write fails.
  if (process.stdout.writableLength === 0) exit()
  else process.stdout.write('', exit)
}
