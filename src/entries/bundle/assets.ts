import { ignoreCodes } from '../../errors/index.js'
import { joined } from '../../packages/modules/specifiers.js'
import type { BuildOutput } from '../../types/preview.js'
import type { Workspace } from '../../types/workspace.js'
import { joinPath, parentPath, relativePath } from '../../workspace/paths.js'
import { filesNamedBy } from './page.js'

interface AssetOptions {
  readonly limits: { readonly files: number; readonly bytes: number }
  readonly signal: AbortSignal | undefined
}

/**
 * Collects the files that a site needs in addition to its build outputs: all files in `public`, and files that its pages refer to, such as
 * images and icons. Skips files that do not exist, because a server may provide them.
 */
export async function assetsOf(
  workspace: Workspace,
  root: string,
  built: readonly BuildOutput[],
  { limits, signal }: AssetOptions,
): Promise<{ readonly outputs: readonly BuildOutput[] } | { readonly error: string }> {
  const made = new Set(built.map(({ path }) => path))
  const found = new Map<string, string>()
  const add = (path: string, from: string): void => {
    if (!made.has(path) && !found.has(path)) found.set(path, from)
  }
  for (const { path, bytes } of built) {
    if (!/\.html?$/i.test(path)) continue
    for (const url of filesNamedBy(new TextDecoder().decode(bytes))) {
      const name = nameOf(url)
      if (name === undefined) continue
      const file = name.startsWith('/') ? joined(root, name.slice(1)) : joined(parentPath(joinPath(root, path)), name)
      if (file.startsWith(`${root === '/' ? '' : root}/`) && (await isFile(workspace, file))) add(relativePath(file, root), file)
    }
  }
  const folder = joinPath(root, 'public')
  if ((await kindOf(workspace, folder)) === 'dir') {
    for await (const entries of workspace.walk(folder, { ignore: false, ...(signal && { signal }) })) {
      for (const { path, kind } of entries) if (kind === 'file') add(relativePath(path, folder), path)
      if (found.size > limits.files) return { error: `The app has more than ${limits.files} files in "public" and on its pages` }
    }
  }
  const outputs: BuildOutput[] = []
  let left = limits.bytes
  for (const [path, from] of found) {
    signal?.throwIfAborted()
    const { bytes } = await workspace.readBytes(from)
    left -= bytes.length
    if (left < 0) return { error: `The files in "public" and on the pages have more than ${limits.bytes} bytes` }
    outputs.push({ path, bytes })
  }
  return { outputs }
}

/** Returns the path of a local URL, decoded. Undefined if the URL contains an invalid escape. */
function nameOf(url: string): string | undefined {
  try {
    return decodeURIComponent(url.replace(/[?#].*$/s, ''))
  } catch {
    return undefined
  }
}

const isFile = async (workspace: Workspace, path: string): Promise<boolean> => (await kindOf(workspace, path)) === 'file'

async function kindOf(workspace: Workspace, path: string): Promise<string | undefined> {
  return (await workspace.stat(path, 'read').catch(ignoreCodes('ENOENT', 'ENOTDIR')))?.kind
}
