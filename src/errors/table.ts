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
  EACCES: row('denied', false, 'This path is off limits here: work on another one.'),
  EROFS: row('denied', false, 'Nothing can be written here: report the change instead of making it.'),
  ENOTSUP: row('unsupported', false),
  ENOSPC: row('error', true, 'Remove files that are not needed, or write less.'),
  EFBIG: row('error', true, 'Read a part of it, append to it, or split the content over several files.'),
  ELOOP: row('error', true, 'Use the path of the file itself.'),
  EXDEV: row('error', true, 'Copy the content and remove the original instead.'),
  EBUSY: row('error', true, 'Choose another path (of a directory, one below it), or try again in a moment.'),
  ESTALE: row('error', true, 'Read the file again, then repeat the change on what it says now.'),
  EIO: row('error', true),
  path_outside_workspace: row('denied', true, 'Use a path inside the workspace.'),
  invalid_path: row('invalid_input', true, 'Use a plain path with forward slashes, relative to the workspace.'),
  symlink_escape: row('denied', true, 'Use a path that no link leads out of the workspace.'),
  binary_file: row('invalid_input', true, 'Read it with encoding "base64" if its bytes are wanted.'),
  invalid_input: row('invalid_input', true),
  ambiguous_match: row('invalid_input', true, 'Include more of the surrounding lines so that the text is unique, or set replace_all.'),
  no_match: row('invalid_input', true, 'Read the file again and copy the text exactly as it stands.'),
  unavailable: row('error', false, 'Use another tool.'),
  spawn_failed: row('error', true, 'Try again in a moment, or ask for less in one command.'),
  not_running: row('error', true, 'It has ended: read what it printed, or start another session.'),
  unknown_session: row('invalid_input', true, 'List the sessions, and use the id of one of them.'),
  too_many_sessions: row('error', true, 'Stop a session that is not needed any more.'),
  input_full: row('error', true, 'Read what it prints, and write again when it has read its input; or stop it.'),
  out_of_memory: row('error', true),
  network: row('error', true),
  http_status: row('error', true),
  blocked_origin: row('denied', false),
  too_large: row('error', true),
  command_blocked: row('denied', true, 'Change the command as the reason says, or do it with another tool.'),
  approval_required: row('denied', false, 'This needs an approval that was not given: do something else, or ask the user.'),
  rate_limited: row('denied', true, 'Wait before the next call.'),
  tool_excluded: row('denied', false, 'Use another tool.'),
  read_only: row('denied', false, 'Nothing can be written here: report the change instead of making it.'),
  unsupported: row('unsupported', false, 'Use another tool.'),
  unknown_tool: row('not_found', true, 'Use one of the tools of the manifest.'),
  aborted: row('aborted', true),
  timeout: row('timeout', true, 'Ask for less in one call.'),
  tool_threw: row('error', false),
}
