#!/usr/bin/env node
import module from 'node:module'

// Since Node 22: what a start compiles is there for the next one. Before any other module is read.
const { enableCompileCache } = module as { readonly enableCompileCache?: () => unknown }
enableCompileCache?.()
const { main } = await import('./cli/main.js')
process.exitCode = await main(process.argv.slice(2))
// A case that was cut short may go on for ever, and a module of cases may have left something open. Once all is written, the process ends.
if (process.argv[2] === 'eval') process.stdout.write('', () => setTimeout(() => process.exit(), 1000).unref())
