import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkspace } from 'toolport'
import { createNodeFs, createNodeJs, type NodeJsOptions } from 'toolport/adapters/node'
import { describe, it } from 'vitest'
import { type JsUnderTest, jsContract } from '../contract/js.js'

const roots = new Map<JsUnderTest, string>()

function create(options?: NodeJsOptions): JsUnderTest {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-js-contract-')))
  const workspace = createWorkspace({ fs: createNodeFs({ root }) })
  const made = { js: createNodeJs(options)(workspace), workspace }
  roots.set(made, root)
  return made
}

async function dispose(made: JsUnderTest): Promise<void> {
  await made.js.close?.()
  await made.workspace.close()
  rmSync(roots.get(made) ?? '', { recursive: true, force: true })
}

const except = { 'moves, copies, links': "Node's permission model refuses every symbolic link" }

// Several at once: most of the time goes into the start of processes.
jsContract({ describe, it: it.concurrent }, { name: 'node', create: () => create(), except, dispose })

// Without it there is no exception.
const only = (title: string, test: () => void | Promise<void>): void => {
  if (title in except) it(title, test)
}
jsContract({ describe, it: only }, { name: 'node without permissions', create: () => create({ permissions: false }), dispose })
