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

const NO_LINKS = "Node's permission model refuses every symbolic link"
const except = {
  'moves, copies, links': NO_LINKS,
  'makes directories at links': NO_LINKS,
  'copies links': NO_LINKS,
  'copies as options say': "Node's permission model refuses cp over what is there",
  'makes directories': "Node's permission model refuses the current directory by the name of a dot",
  'has file errors of each call': "Node's permission model refuses empty paths",
  'uses descriptors': "Node's permission model refuses fsync",
}

// Several at once: most of the time goes into the start of processes.
jsContract({ describe, it: it.concurrent }, { name: 'node', create: () => create(), except, dispose })

// Without it there is no exception.
const only = (title: string, test: () => void | Promise<void>): void => {
  if (title in except) it(title, test)
}
jsContract({ describe, it: only }, { name: 'node without permissions', create: () => create({ permissions: false }), dispose })
