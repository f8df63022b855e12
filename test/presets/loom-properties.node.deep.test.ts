// @module-tag loom
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNodeFs } from 'toolport/adapters/node'
import { describe, expect } from 'vitest'
import { loomProperties } from './loom-properties.js'

/** A root inside another directory, in which nothing may change. */
async function inside() {
  const outer = await mkdtemp(join(tmpdir(), 'toolport-loom-'))
  const root = join(outer, 'workspace')
  await mkdir(root)
  await writeFile(join(outer, 'passwd'), 'outside')
  const close = async (): Promise<void> => {
    expect((await readdir(outer)).sort()).toEqual(['passwd', 'workspace'])
    await rm(outer, { recursive: true })
  }
  return { fs: createNodeFs({ root }), close }
}

describe('loom over a real directory', () => loomProperties(inside, 100))
