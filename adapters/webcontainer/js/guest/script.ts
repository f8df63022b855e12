import { INBOX } from './inbox.js'
import { INPUT } from './input.js'
import { OUTPUT } from './output.js'
import { START } from './start.js'
import { TOOLS } from './tools.js'
import { TYPESCRIPT } from './typescript.js'

const BEGIN = `
import fs from 'node:fs'
import module from 'node:module'
import { dirname } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const task = JSON.parse(fs.readFileSync(folder + 'task.json', 'utf8'))
`

const HEAR = `
const inbox = createInbox((post) => ('call' in post ? hearAnswer(post) : hearInput(post)))
`

/**
 * The text of the ES module that Node starts in the container. This module works with every Node version: it needs no flags, and module
 * hooks only for TypeScript files. It reads `task.json` and the host's messages from its own folder.
 */
export const SCRIPT: string = [BEGIN, OUTPUT, INBOX, HEAR, INPUT, TOOLS, TYPESCRIPT, START].join('')
