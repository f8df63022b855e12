import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { Workspace } from '../../types/workspace.js'

const START = 'workspace:///'

/** `workspace:///src/a%20b.ts` for the file of this virtual path. */
export function uriOf(workspace: Workspace, path: string): string {
  return START + workspace.relative(path).split('/').map(encodeURIComponent).join('/')
}

/**
 * The virtual path behind a URI. Only that: whether it may be read is for the workspace to say.
 *
 * @throws {McpError} InvalidParams for another scheme, broken encoding, and segments that are no plain names
 */
export function pathOf(workspace: Workspace, uri: string): string {
  if (!uri.startsWith(START)) throw refused(uri, `it does not begin with ${START}`)
  if (/[?#]/.test(uri)) throw refused(uri, '? and # stand for themselves only as %3F and %23')
  const names = uri
    .slice(START.length)
    .split('/')
    .map((segment) => decode(uri, segment))
  if (names.some((name) => name === '' || name === '.' || name === '..' || name.includes('/'))) {
    throw refused(uri, 'each part of its path has to be a name')
  }
  return [workspace.root === '/' ? '' : workspace.root, ...names].join('/')
}

function decode(uri: string, segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw refused(uri, 'its percent-encoding is broken')
  }
}

const LONGEST_URI = 500

function refused(uri: string, why: string): McpError {
  return new McpError(ErrorCode.InvalidParams, `Cannot use the resource "${uri.slice(0, LONGEST_URI)}": ${why}`)
}
