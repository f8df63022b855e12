// @module-tag worker-loader
import { createWorkspace } from 'toolport'
import { createWorkerLoaderJs } from 'toolport/adapters/cloudflare'
import { createMemoryFs } from 'toolport/adapters/memory'
import { beforeAll, describe, expect, it } from 'vitest'
import { installPackages } from '../../src/packages/install/index.js'
import { network, REGISTRY } from '../packages/install-support.js'
import { PACKAGE_CASES } from './quickjs-packages-cases.js'
import recorded from './quickjs-packages-recorded.json'
import { loader } from './worker-loader-support.workerd.js'

const PACKAGES = ['is-number@^7', 'nanoid@^5', 'semver@^7', 'zod@^4', 'lodash-es@^4', 'uuid@^11', 'yaml@^2']

/** Package case -> the platform's error. */
const EXCEPT: Readonly<Record<string, RegExp>> = {
  // `template` generates a function from text.
  'lodash-es: groupBy, and a chain of others': /^EvalError: Code generation from strings disallowed/,
}

describe('worker-loader: installed packages', () => {
  const workspace = createWorkspace({ fs: createMemoryFs() })
  const js = createWorkerLoaderJs({ loader })(workspace)

  beforeAll(async () => {
    await installPackages(workspace, { packages: PACKAGES, fetch: network().fetch, registry: REGISTRY })
  })

  for (const { name, ...source } of PACKAGE_CASES) {
    it(name, async () => {
      const { stdout, stderr, exitCode } = await js.run(source)
      const why = Object.hasOwn(EXCEPT, name) ? EXCEPT[name] : undefined
      if (why) expect(stderr).toMatch(why)
      else expect({ stderr, stdout, exitCode }).toEqual({ stderr: '', stdout: (recorded as Record<string, string>)[name], exitCode: 0 })
    })
  }

  it('lodash-es with all its 641 modules runs in TypeScript', async () => {
    await workspace.writeText('main.ts', 'import { chunk } from "lodash-es"\nconst n: number = 2\nconsole.log(chunk([1, 2, 3], n))')
    expect(await js.run({ entry: 'main.ts' })).toMatchObject({ stderr: '', stdout: '[ [ 1, 2 ], [ 3 ] ]\n', exitCode: 0 })
  })
})
