import { env } from 'cloudflare:workers'
import { createWorkspace, type JsAdapter, type Workspace, type WorkspaceOptions } from 'toolport'
import { createWorkerLoaderJs, type WorkerLoaderJsOptions, type WorkerLoaderLike } from 'toolport/adapters/cloudflare'
import { createMemoryFs } from 'toolport/adapters/memory'

declare global {
  namespace Cloudflare {
    interface Env {
      LOADER: WorkerLoader
    }
  }
}

/** The assignment checks that the binding has the type that the adapter expects. */
export const loader: WorkerLoaderLike = env.LOADER

export interface Made {
  readonly js: JsAdapter
  readonly workspace: Workspace
}

/** An adapter on a new workspace in memory. */
export async function made(
  files: Readonly<Record<string, string>> = {},
  options: Partial<WorkerLoaderJsOptions> = {},
  workspaceOptions: Partial<WorkspaceOptions> = {},
): Promise<Made> {
  const workspace = createWorkspace({ fs: createMemoryFs(), ...workspaceOptions })
  for (const [path, content] of Object.entries(files)) await workspace.writeText(path, content)
  return { workspace, js: createWorkerLoaderJs({ loader, ...options })(workspace) }
}
