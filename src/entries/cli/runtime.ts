import { createMemoryFs } from '../../../adapters/memory/index.js'
import { createNodeFs } from '../../../adapters/node/index.js'
import { FsError } from '../../errors/index.js'
import { standard } from '../../presets/standard.js'
import { createRuntime } from '../../runtime/create-runtime.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { FsAdapter } from '../../types/fs.js'
import type { Preset } from '../../types/preset.js'
import { createWorkspace } from '../../workspace/create-workspace.js'
import { type CliOptions, UsageError } from './options.js'

const PRESETS: Readonly<Record<string, () => Preset>> = { standard }
const MIB = 1024 * 1024

/** @throws {UsageError} for an unknown preset or a directory that is none */
export async function openRuntime(options: CliOptions): Promise<ToolRuntime> {
  const preset = Object.hasOwn(PRESETS, options.preset) ? PRESETS[options.preset] : undefined
  if (!preset) throw new UsageError(`There is no preset "${options.preset}": use one of ${Object.keys(PRESETS).join(', ')}`)
  const policy = { readOnly: options.readOnly }
  if (!options.memory) return createRuntime({ fs: await openDirectory(options.root), preset: preset(), policy })
  const files = options.seed === undefined ? {} : await readSeed(options.seed)
  return createRuntime({ fs: createMemoryFs({ files }), preset: preset(), policy, quotas: { bytes: 256 * MIB, files: 100_000 } })
}

async function openDirectory(root: string): Promise<FsAdapter> {
  const fs = createNodeFs({ root })
  try {
    await fs.open?.()
    return fs
  } catch (error) {
    if (!FsError.is(error)) throw error
    throw new UsageError(
      `Cannot work in "${root}": ${error.code === 'ENOENT' ? 'there is no such directory' : (error.detail ?? error.code)}`,
    )
  }
}

/** What is not ignored: a copy of build output and packages is of no use. */
async function readSeed(root: string): Promise<Record<string, Uint8Array>> {
  const workspace = createWorkspace({ fs: await openDirectory(root) })
  const files: [string, Uint8Array][] = []
  for await (const run of workspace.walk('.')) {
    for (const { path, kind } of run) {
      if (kind === 'file') files.push([workspace.relative(path), (await workspace.readBytes(path)).bytes])
    }
  }
  await workspace.close()
  return Object.fromEntries(files)
}
