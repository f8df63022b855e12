import { createMemoryFs } from '../../../adapters/memory/index.js'
import { createNodeFs, createNodeShell, createShellWorker } from '../../../adapters/node/index.js'
import { createWorkspaceMemory } from '../../../adapters/workspace-memory/index.js'
import { FsError, JsError, ShellError } from '../../errors/index.js'
import { type CreateRuntimeOptions, createRuntime, type PortOption } from '../../runtime/create-runtime.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { FsAdapter } from '../../types/fs.js'
import type { ShellAdapter } from '../../types/shell.js'
import { createWorkspace } from '../../workspace/create-workspace.js'
import { memoryQuotas } from '../shared/memory-storage.js'
import { shellJs } from '../shared/shell-js.js'
import { virtualShell } from '../shared/virtual-shell.js'
import { engineOf, registryOf } from './javascript.js'
import { type CliOptions, type ShellName, UsageError } from './options.js'
import { presetNamed } from './presets.js'

const SHELLS: Readonly<Record<ShellName, (commands: ReturnType<typeof shellJs>) => PortOption<ShellAdapter> | undefined>> = {
  node: () => createNodeShell(),
  // An interrupt ends whatever a command is doing: this thread is never busy with it.
  virtual: (commands) => virtualShell({ worker: () => createShellWorker() }, { commands }),
  none: () => undefined,
}

/** After an interrupt, for a call to hand in what it has, on a busy machine too. Nobody has to wait for it: a second interrupt ends at once. */
const GRACE_MS = 5000

/** @throws {UsageError} for an unknown preset, a directory that is none, a shell that this machine does not have, or no address as registry */
export async function openRuntime(options: CliOptions): Promise<ToolRuntime> {
  const js = engineOf(options)
  const { jsTools, fetch } = registryOf(options)
  const common = {
    preset: await presetNamed(options.preset, { jsTools }),
    policy: { readOnly: options.readOnly },
    js,
    fetch,
    shell: SHELLS[options.shell](shellJs(js)),
    memory: createWorkspaceMemory(),
    limits: { graceMs: GRACE_MS },
  }
  if (!options.memory) return openOn({ ...common, fs: await openDirectory(options.root) })
  const files = options.seed === undefined ? {} : await readSeed(options.seed)
  return createRuntime({ ...common, fs: createMemoryFs({ files }), quotas: memoryQuotas })
}

function openOn(options: CreateRuntimeOptions): ToolRuntime {
  try {
    return createRuntime(options)
  } catch (error) {
    throw error instanceof ShellError || error instanceof JsError ? new UsageError(error.message) : error
  }
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
