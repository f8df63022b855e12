import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkspace } from 'toolport'
import { createNodeFs, createNodeJs, type NodeJsOptions } from 'toolport/adapters/node'
import { describe } from 'vitest'
import { type JsUnderTest, jsContract, type TestRunner } from '../contract/index.js'

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

/** Titles of cases whose results depend on Node alone: the language and its console. */
const PURE =
  'shows|breaks|formats|prints a table|groups|counts|computes|uses (newer|patterns|text|util|buffers)|iterates|settles|hashes|asserts|emits|handles paths|has errors of classes|reads addresses'
/** Matches titles of cases that depend on the adapter that starts Node. */
export const NOT_PURE = new RegExp(`^(?!${PURE})|^shows objects$`)

export const nodeJsContract = (it: TestRunner['it']): void =>
  jsContract({ describe, it }, { name: 'node', create: () => create(), except, dispose })

/** Runs the cases that are excepted with permissions. Without permissions, all of them must pass. */
export const withoutPermissions = (it: TestRunner['it']): void => {
  const excepted: TestRunner['it'] = (title, test) => {
    if (title in except) it(title, test)
  }
  jsContract({ describe, it: excepted }, { name: 'node without permissions', create: () => create({ permissions: false }), dispose })
}
