// @module-tag quickjs
// @module-tag install
import { createLocalServers, createWorkspace } from 'toolport'
import { createFetch } from 'toolport/adapters/fetch'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { installPackages } from '../../../src/packages/install/index.js'
import type { LoopbackRegistry } from '../install-server.js'
import { PROGRAMS, type Tried } from './programs.mjs'
import { serveTried } from './registry.js'

const createJs = createQuickJs({
  worker: false,
  memoryBytes: 256 * 2 ** 20,
  snapshot: { maxFiles: 20_000, maxBytes: 128 * 2 ** 20 },
})

describe('a widely used package, installed from a registry', () => {
  let registry: LoopbackRegistry

  beforeAll(async () => {
    registry = await serveTried()
    return () => registry.close()
  }, 1_200_000)

  it.each(Object.entries(PROGRAMS))('%s works in QuickJS, or fails as documented', async (spec, tried) => {
    const { result, output } = await attempt(spec, tried, registry.address)
    expect(result, output).toBe(tried.fails ?? 'works')
  })
})

interface Outcome {
  /** `works`, or the reason for the failure. */
  readonly result: string
  readonly output: string
}

async function attempt(spec: string, { code, prints, files = {}, with: others = [] }: Tried, registry: string): Promise<Outcome> {
  const workspace = createWorkspace({ fs: createMemoryFs({ files }) })
  const fetch = createFetch({ origins: [new URL(registry).origin], maxBytes: 64 * 2 ** 20 })
  await installPackages(workspace, { packages: [spec, ...others], fetch, registry })
  const js = createJs(workspace)
  try {
    const grants = { fs: 'read', servers: createLocalServers() } as const
    const { exitCode, stdout, stderr } = await js.run({ code, grants, timeoutMs: 60_000 })
    const output = `${stdout}\n${stderr}`
    if (exitCode === 0 && stdout.trim() === prints) return { result: 'works', output }
    return { result: exitCode === null ? 'timed out after 60 s' : reasonOf(stderr) || `prints ${JSON.stringify(stdout.trim())}`, output }
  } finally {
    await js.close?.()
  }
}

/** The line of an error that states the cause. */
function reasonOf(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/^\s+at |^Node\.js v/.test(line))
  return lines.find((line) => /^(\w*Error|FATAL|Uncaught)/.test(line)) ?? lines[0] ?? ''
}
