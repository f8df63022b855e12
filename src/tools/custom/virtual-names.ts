import type { Workspace } from '../../types/workspace.js'

/** Replaces machine paths by virtual paths: code that runs on the machine itself reports machine paths. */
export function virtualNames(text: string, { fs, root }: Workspace): string {
  const host = fs.hostPath?.('/')
  return host === undefined || host === root || host === '/' ? text : text.replaceAll(host, root)
}
