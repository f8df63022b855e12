// @module-tag install
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { createWorkspace } from 'toolport'
import { createNodeFs } from 'toolport/adapters/node'
import { expect, it } from 'vitest'
import { createDisk } from '../../src/packages/modules/disk.js'
import { DEFAULT_CONDITIONS } from '../../src/packages/modules/loader.js'
import { createResolver } from '../../src/packages/modules/resolver.js'
import fc from '../fast-check.js'
import { type Answer, type Ask, askNode, withFolder, writeTree } from './modules-node.js'
import { TREES } from './modules-trees.js'

const builtins = new Set(builtinModules)

function asksOf(folder: string, asks: Readonly<Record<string, readonly string[]>>): Ask[] {
  return Object.entries(asks).flatMap(([from, specifiers]) =>
    specifiers.flatMap((written) => {
      const [, only, specifier = ''] = /^(import:|require:)?(.*)$/s.exec(written) ?? []
      const kinds = (['import', 'require'] as const).filter((kind) => only === undefined || only === `${kind}:`)
      return kinds.map((kind): Ask => ({ kind, from: join(folder, from), specifier }))
    }),
  )
}

/** Specifier -> our answer, where Node's answer cannot be compared, because Node resolves differently when it also loads the module. */
const ONLY_OURS: Readonly<Record<string, Answer>> = {
  // Node resolves this to a URL, but its loader then needs a path.
  'require #fs': 'node:fs',
  // Node rejects these only when it loads them. Our graph loads modules while it resolves them.
  'import node:none': 'ERR_UNKNOWN_BUILTIN_MODULE',
  'require node:none': 'ERR_UNKNOWN_BUILTIN_MODULE',
  'import https://x.test/a.js': 'ERR_UNSUPPORTED_ESM_URL_SCHEME',
  'import x:y': 'ERR_UNSUPPORTED_ESM_URL_SCHEME',
}

async function askUs(folder: string, asks: readonly Ask[]): Promise<Answer[]> {
  const workspace = createWorkspace({ fs: createNodeFs({ root: folder }) })
  const resolver = createResolver(createDisk(workspace), { conditions: DEFAULT_CONDITIONS, builtins })
  const answers: Answer[] = []
  for (const { kind, from, specifier } of asks) {
    const resolution = await resolver.resolve(specifier, from, kind)
    if ('path' in resolution) answers.push(resolution.path)
    else answers.push('builtin' in resolution ? `node:${resolution.builtin}` : resolution.error.code)
  }
  return answers
}

const told = (folder: string, asks: readonly Ask[], answers: readonly Answer[]): string[] =>
  asks.map(({ kind, from, specifier }, i) => `${from.slice(folder.length)}: ${kind} ${specifier} -> ${answers[i]?.replace(folder, '')}`)

it(`the module loader resolves like Node in ${Object.keys(TREES).length} trees`, async () => {
  await withFolder(async (folder) => {
    const asks: Ask[] = []
    for (const [index, { files, links, asks: own }] of Object.values(TREES).entries()) {
      await writeTree(join(folder, `t${index}`), files, links)
      asks.push(...asksOf(join(folder, `t${index}`), own))
    }
    const [node, us] = await Promise.all([askNode(asks), askUs(folder, asks)])
    const wanted = asks.map(({ kind, specifier }, i) => ONLY_OURS[`${kind} ${specifier}`] ?? (node[i] as Answer))
    expect(told(folder, asks, us)).toEqual(told(folder, asks, wanted))
    expect(wanted.filter((answer, i) => answer !== node[i])).toHaveLength(Object.keys(ONLY_OURS).length)
    expect(asks.length).toBeGreaterThan(400)
  })
})

const conditions = ['import', 'require', 'node', 'browser', 'default', 'module-sync', 'x']
const target = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('./a.js', './b.js', './l/*.js', './l/*', './none.js', '../a.js', 'p', './l', './*.js', './l/../a.js', './l/x.js', ''),
    fc.constant(null),
    tie('conditions'),
    fc.array(tie('any'), { maxLength: 3 }),
  ),
  conditions: fc.dictionary(fc.constantFrom(...conditions), tie('any'), { maxKeys: 3, noNullPrototype: true }),
})).any
const key = fc.constantFrom('.', './a', './*', './l/*', './l/*.js', './l/x.js', './*/x.js', './a/', './l/x*', './**')
const exportsMap = fc.oneof(target, fc.dictionary(key, target, { maxKeys: 4, noNullPrototype: true }))
const QUESTIONS = ['', '/a', '/l/x', '/l/x.js', '/x/x.js', '/none', '/a/']

it('the module loader reads random exports maps like Node', async () => {
  await withFolder(async (folder) => {
    const maps = fc.sample(exportsMap, 120)
    const imports = fc.sample(target, 60)
    const asks: Ask[] = []
    for (const [i, exports] of maps.entries()) {
      const base = `node_modules/p${i}`
      const files = ['a.js', 'b.js', 'l/x.js', 'l/x', 'x.js'].map((file) => [`${base}/${file}`, ''])
      await writeTree(folder, { [`${base}/package.json`]: JSON.stringify({ name: `p${i}`, exports }), ...Object.fromEntries(files) })
      asks.push(...asksOf(folder, { 'main.js': QUESTIONS.map((question) => `p${i}${question}`) }))
    }
    const named = Object.fromEntries(imports.map((one, i) => [i % 2 ? `#n${i}` : `#n${i}/*`, one]))
    await writeTree(folder, { 'package.json': JSON.stringify({ imports: named }), 'a.js': '', 'l/x.js': '', 'node_modules/p/index.js': '' })
    asks.push(...asksOf(folder, { 'main.js': imports.flatMap((_, i) => [`#n${i}`, `#n${i}/x`, `#n${i}/x.js`]) }))
    const [node, us] = await Promise.all([askNode(asks), askUs(folder, asks)])
    const shown = (answers: readonly Answer[]): string[] =>
      told(folder, asks, answers).map((line) => {
        const index = Number(/: \w+ p(\d+)/.exec(line)?.[1] ?? -1)
        return index < 0 ? line : `${line} of ${JSON.stringify(maps[index])}`
      })
    expect(shown(us)).toEqual(shown(node))
    // Many specifiers resolve to a path.
    expect(node.filter((answer) => answer.startsWith('/')).length).toBeGreaterThan(100)
    expect(new Set(node.filter((answer) => answer.startsWith('ERR'))).size).toBeGreaterThan(3)
  })
})
