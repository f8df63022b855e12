import type { ToolStatus } from '../types/tool.js'

export interface ErrorRow {
  readonly status: ToolStatus
  readonly recoverable: boolean
  readonly hint?: string
}

const row = (status: ToolStatus, recoverable: boolean, hint?: string): ErrorRow =>
  hint ? { status, recoverable, hint } : { status, recoverable }

/** Maps error codes to the text for the caller. A code has the same meaning in every error class. */
export const ERROR_TABLE: Readonly<Record<string, ErrorRow>> = {
  ENOENT: row('error', true, 'Check the path: list the directory, or search for the name.'),
  EEXIST: row('error', true, 'Choose another path, or remove what is there first.'),
  EISDIR: row('error', true, 'Name a file, or list the directory instead.'),
  ENOTDIR: row('error', true, 'Name a directory, and check every part of the path.'),
  ENOTEMPTY: row('error', true, 'Empty the directory first, or ask for recursive removal.'),
  EINVAL: row('error', true),
  ENAMETOOLONG: row('error', true, 'Use a shorter name.'),
  EACCES: row('denied', false, 'Access to this path is not allowed: use another path.'),
  EROFS: row('denied', false, 'Files here are read-only: report the change instead of making it.'),
  ENOTSUP: row('unsupported', false),
  ENOSPC: row('error', true, 'Remove files that are not needed, or write less.'),
  EFBIG: row('error', true, 'To read: read a part of the file. To write: split the content into several files.'),
  ELOOP: row('error', true, 'Use the path of the file itself.'),
  EXDEV: row('error', true, 'Copy the content and remove the original instead.'),
  EBUSY: row('error', true, 'Try again in a moment, or choose another path (for a directory, a path below it).'),
  ESTALE: row('error', true, 'Read the file again, then apply the change to its current content.'),
  EIO: row('error', true),
  path_outside_workspace: row('denied', true, 'Use a path inside the workspace.'),
  invalid_path: row('invalid_input', true, 'Use a plain path with forward slashes, relative to the workspace.'),
  symlink_escape: row('denied', true, 'Use a path without links that leave the workspace.'),
  binary_file: row('invalid_input', true, 'To read its bytes, set encoding to "base64".'),
  invalid_input: row('invalid_input', true),
  ambiguous_match: row('invalid_input', true, 'Include more surrounding lines to make the text unique, or set replace_all.'),
  no_match: row('invalid_input', true, 'Read the file again and copy the text exactly.'),
  unavailable: row('error', false, 'Use another tool.'),
  spawn_failed: row('error', true, 'Try again in a moment, or split the work into smaller commands.'),
  not_running: row('error', true, 'The session has ended: read its output, or start another session.'),
  unknown_session: row('invalid_input', true, 'List the sessions and use one of their ids.'),
  too_many_sessions: row('error', true, 'Stop a session that is no longer needed.'),
  input_full: row('error', true, 'Read the output, then write again once the program has read its input. Or stop the session.'),
  out_of_memory: row('error', true),
  network: row('error', true),
  http_status: row('error', true),
  blocked_origin: row('denied', false),
  too_large: row('error', true),
  command_blocked: row('denied', true, 'Change the command according to the reason, or use another tool.'),
  approval_required: row('denied', false, 'The required approval was not given: try something else, or ask the user.'),
  rate_limited: row('denied', true, 'Wait before the next call.'),
  tool_excluded: row('denied', false, 'Use another tool.'),
  read_only: row('denied', false, 'Files here are read-only: report the change instead of making it.'),
  unsupported: row('unsupported', false, 'Use another tool.'),
  unknown_tool: row('not_found', true, 'Use a tool from your list of tools.'),
  aborted: row('aborted', true),
  timeout: row('timeout', true, 'Split the work into smaller calls.'),
  tool_threw: row('error', false),
}
