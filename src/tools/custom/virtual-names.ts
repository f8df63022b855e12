import type { Workspace } from '../../types/workspace.js'

/** The text with the workspace's names for its files: what runs on the machine itself tells the machine's. */
export function virtualNames(text: string, { fs, root }: Workspace): string {
  const host = fs.hostPath?.('/')
  return host === undefined || host === root || host === '/' ? text : text.replaceAll(host, root)
}
