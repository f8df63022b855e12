// @module-tag install
import satisfies from 'semver/functions/satisfies.js'
import { expect, it } from 'vitest'
import { InputError } from '../../src/errors/index.js'
import fc from '../fast-check.js'
import { graph, requests } from './install-random-support.js'
import { madeRegistry, type Project, project } from './install-support.js'

/** Path of each package in node_modules -> its package.json, read from the files and not from a lockfile. */
async function installed({
  tree,
}: Project): Promise<Map<string, { readonly version: string; readonly dependencies: Record<string, string> }>> {
  const found = Object.entries(await tree()).filter(([path]) => path.endsWith('/package.json'))
  return new Map(found.map(([path, text]) => [path.slice(0, -'/package.json'.length), JSON.parse(String(text))]))
}

/** Finds a package as `require` does. */
function lookUp(from: string, name: string, has: (path: string) => boolean): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (has(path)) return path
    if (at === '') return undefined
    if (!at.includes('/node_modules/')) at = ''
    if (at === '' && has(`node_modules/${name}`)) return `node_modules/${name}`
  }
}

it('every package of a random graph finds its dependencies, nothing else is installed, and the lockfile matches', async () => {
  await fc.assert(
    fc.asyncProperty(graph, requests, async (packages, steps) => {
      const net = await madeRegistry(packages)
      const at = project(net)
      for (const step of steps) {
        const error = await at.install(step).catch((reason: unknown) => reason)
        // Versions that need each other in a cycle would be nested without end.
        fc.pre(!(error instanceof InputError && error.details.reason === 'limit'))
        if (error instanceof Error) throw error
      }
      const all = await installed(at)
      const used = new Set<string>()
      const look = (from: string, wants: Record<string, string>): void => {
        for (const [name, range] of Object.entries(wants)) {
          const path = lookUp(from, name, (each) => all.has(each))
          const version = all.get(path ?? '')?.version ?? 'none'
          expect(`${from} ${name} ${range} ${range === '*' || satisfies(version, range)}`).toBe(`${from} ${name} ${range} true`)
          used.add(path as string)
        }
      }
      look('', (await at.json('package.json')).dependencies)
      for (const [path, { dependencies }] of all) look(path, dependencies)
      expect([...used].sort()).toEqual([...all.keys()].sort())
      const { '': _, ...listed } = (await at.json('package-lock.json')).packages
      expect(
        Object.entries(listed)
          .map(([path, entry]) => [path, (entry as { version: string }).version])
          .sort(),
      ).toEqual([...all].map(([path, { version }]) => [path, version]).sort())
      net.asked.length = 0
      expect(await at.install()).toMatchObject({ added: [], updated: [], removed: [], unchanged: all.size })
      expect(net.asked).toEqual([])
    }),
    { numRuns: 25 },
  )
})
