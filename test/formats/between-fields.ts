/**
 * Combinations of fields that the standard tools reject when they are called. JSON Schema could express these rules with unions beside
 * `properties`, but providers reject unions at the root of a tool's schema.
 */
export const BETWEEN_FIELDS: readonly (readonly [tool: string, why: string, input: Readonly<Record<string, unknown>>, issue: string])[] = [
  ['read_file', 'by lines or by bytes', { path: 'a', byte_offset: 0, offset: 2 }, 'byte_offset'],
  ['read_file', 'by lines or by bytes', { path: 'a', byte_offset: 0, mode: 'indentation' }, 'byte_offset'],
  ['bash', 'for the background only', { command: 'true', session_name: 'a' }, 'session_name'],
  ['bash', 'for the background only', { command: 'true', terminal: {} }, 'terminal'],
  ['bash', 'not for the background', { command: 'true', run_in_background: true, stdin: '' }, 'stdin'],
  ['bash', 'not for the background', { command: 'true', run_in_background: true, timeout_ms: 1 }, 'timeout_ms'],
  ['start_background_js', 'one of two', {}, 'code'],
  ['start_background_js', 'one of two', { code: '1', module: 'a.js' }, 'code'],
  ['start_background_js', 'for code only', { module: 'a.js', format: 'module' }, 'format'],
  ...['write_background_bash', 'write_background_js'].flatMap(
    (tool): (readonly [string, string, Readonly<Record<string, unknown>>, string])[] => [
      [tool, 'one of two', { session_id: 'x' }, 'input'],
      [tool, 'one of two', { session_id: 'x', input: 'a', key: 'enter' }, 'input'],
      [tool, 'for keys only', { session_id: 'x', input: 'a', repeat: 2 }, 'repeat'],
      [tool, 'nothing to send', { session_id: 'x', input: '', append_newline: false }, 'input'],
    ],
  ),
]
