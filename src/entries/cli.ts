#!/usr/bin/env node
import module from 'node:module'

// Since Node 22: what a start compiles is there for the next one. Before any other module is read.
const { enableCompileCache } = module as { readonly enableCompileCache?: () => unknown }
enableCompileCache?.()
const { main } = await import('./cli/main.js')
process.exitCode = await main(process.argv.slice(2))
