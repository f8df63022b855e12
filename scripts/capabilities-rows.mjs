// The 113 capabilities that the four documents describe, for docs/presets.md (scripts/capabilities.mjs). Tests are found by their tags.
// capabilities-differences.mjs lists differences from the documents.

/**
 * @typedef {object} Row
 * @property {number} row Number of the row. Tests that prove it have the tag `cap:<row>`.
 * @property {string} what
 * @property {string} from Presets: A loom, B loaf, C loom-elixir, D zeroclaw.
 * @property {string[]} [code] Paths in this repository.
 * @property {string} [waits] For an open row: what has to exist first.
 */

const RUNTIME = 'src/runtime/tool-runtime.ts'
const RUN = 'src/runtime/run-tool.ts'
const REGISTRY = 'src/core/registry.ts'
const PATHS = 'src/workspace/parse-path.ts'
const SESSION = 'src/sessions/session.ts'
const LOAF_START = 'src/presets/loaf/background-start.ts'
const LOAF_BACKGROUND = 'src/presets/loaf/background-run.ts'
const LOAF_REGISTRY = 'src/presets/loaf/registry.ts'
const ELIXIR_READ = 'src/presets/loom-elixir/file-read.ts'
const ELIXIR_WRITE = 'src/presets/loom-elixir/file-write.ts'
const ELIXIR_EDIT = 'src/presets/loom-elixir/file-edit.ts'

/** @type {readonly Row[]} */
export const ROWS = [
  // Tools, registry, runtime
  { row: 1, what: 'A tool is a name, a description, a JSON Schema and `run`', from: 'A B D', code: ['src/core/define-tool.ts'] },
  {
    row: 2,
    what: 'Definitions of the tools for a model',
    from: 'A B D',
    code: ['src/core/registry.ts'],
  },
  {
    row: 3,
    what: 'Context: the workspace root',
    from: 'A C',
    code: ['src/workspace/create-workspace.ts'],
  },
  { row: 4, what: 'Context: the time', from: 'B', code: ['src/runtime/call-context.ts', 'src/host.ts'] },
  { row: 5, what: 'Context: a log', from: 'B', code: ['src/runtime/call-context.ts', 'src/runtime/events.ts'] },
  { row: 6, what: 'Context: an abort signal', from: 'B', code: ['src/runtime/call-scope.ts'] },
  { row: 7, what: 'Result `{ok, output, error?}`', from: 'B', code: ['src/types/tool.ts', 'src/core/result.ts'] },
  { row: 8, what: 'Result `{success, output, error?}`', from: 'D', code: ['src/presets/zeroclaw/messages.ts'] },
  { row: 9, what: 'Outcome with the id of the call, `Success` or `Error`', from: 'A', code: ['src/presets/loom/outcome.ts'] },
  { row: 10, what: 'Errors to the model as `Error: …`', from: 'A', code: ['src/core/result.ts'] },
  {
    row: 11,
    what: 'The nine kinds of errors, with the documented texts',
    from: 'A',
    code: ['src/presets/loom/tool-error.ts', 'src/errors/table.ts'],
  },
  {
    row: 12,
    what: '`register` and `registerMany`, chainable',
    from: 'A B',
    code: [REGISTRY, LOAF_REGISTRY],
  },
  {
    row: 13,
    what: 'Registering a name twice throws',
    from: 'B',
    code: [REGISTRY, LOAF_REGISTRY],
  },
  { row: 14, what: '`get`, `has`, `unregister`', from: 'A B', code: [REGISTRY, LOAF_REGISTRY] },
  {
    row: 15,
    what: '`list` sorted by name',
    from: 'B',
    code: [REGISTRY, LOAF_REGISTRY],
  },
  { row: 16, what: '`getModelManifest`', from: 'B', code: [REGISTRY, LOAF_REGISTRY, 'src/core/registry.ts'] },
  {
    row: 17,
    what: 'All tools at once',
    from: 'A B D',
    code: ['src/runtime/create-runtime.ts', 'src/presets/standard.ts'],
  },
  { row: 18, what: '`runtime.execute(call, context)`', from: 'B', code: [RUNTIME] },
  { row: 19, what: 'The answer to an unknown tool', from: 'B', code: ['src/core/input-issues.ts', RUNTIME] },
  { row: 20, what: 'An exception of a tool becomes a result', from: 'B D', code: [RUN, 'src/core/result.ts'] },
  { row: 21, what: 'Cancellation', from: 'B', code: ['src/runtime/call-scope.ts', RUN] },
  {
    row: 22,
    what: 'Input is validated',
    from: 'A B D',
    code: ['src/core/schema.ts', 'src/runtime/validate-call.ts'],
  },
  {
    row: 23,
    what: 'Arguments read by type, with the documented error for a missing one',
    from: 'D',
    code: ['src/presets/zeroclaw/arguments.ts', 'src/presets/shared/seed-schema.ts'],
  },

  // loom
  { row: 24, what: '`read_file` with `max_bytes`', from: 'A', code: ['src/presets/loom/read-file.ts'] },
  { row: 25, what: 'The flag `truncated`', from: 'A', code: ['src/presets/loom/read-file.ts'] },
  { row: 26, what: 'Bytes that are not UTF-8 become U+FFFD', from: 'A', code: ['src/presets/loom/read-file.ts'] },
  {
    row: 27,
    what: '`edit_file`: edits in order, one write',
    from: 'A',
    code: ['src/presets/loom/edit-content.ts', 'src/presets/loom/edit-file.ts'],
  },
  {
    row: 28,
    what: '`edit_file`: an empty `old_str` appends or creates',
    from: 'A',
    code: ['src/presets/loom/edit-content.ts', 'src/presets/loom/edit-file.ts'],
  },
  {
    row: 29,
    what: '`edit_file`: errors for a text that is missing or ambiguous',
    from: 'A',
    code: ['src/presets/loom/edit-content.ts', 'src/presets/loom/edit-file.ts'],
  },
  { row: 30, what: '`edit_file`: `replace_all`', from: 'A', code: ['src/presets/loom/edit-content.ts', 'src/presets/loom/edit-file.ts'] },
  { row: 31, what: '`edit_file`: sizes in bytes', from: 'A', code: ['src/presets/loom/edit-content.ts', 'src/presets/loom/edit-file.ts'] },
  { row: 32, what: '`bash`, one command at a time', from: 'A', code: ['src/presets/loom/bash.ts'] },
  { row: 33, what: '`bash`: `cwd` inside the workspace', from: 'A', code: ['src/presets/loom/bash.ts'] },
  { row: 34, what: '`bash`: timeout of 60 s, 300 s at the most', from: 'A', code: ['src/presets/loom/bash.ts'] },
  { row: 35, what: '`bash`: 256 KiB a stream', from: 'A', code: ['src/presets/loom/bash.ts', 'src/presets/shared/stream-head.ts'] },
  {
    row: 36,
    what: '`sh -c`, both streams captured',
    from: 'A',
    code: ['src/types/shell.ts', 'adapters/node', 'adapters/just-bash'],
  },
  { row: 37, what: '`list_files`: recursive, ten levels, sizes', from: 'A', code: ['src/presets/loom/list-files.ts'] },
  { row: 38, what: '`web_search` through your own proxy', from: 'A', code: ['src/presets/loom/web-search.ts', 'src/entries/proxy'] },
  { row: 39, what: 'Google and Serper', from: 'A', code: ['src/tools/web/providers/index.ts'] },
  { row: 40, what: 'Retries with growing delays', from: 'A', code: ['src/ops/retry.ts'] },
  { row: 41, what: 'Keys stay on the server', from: 'A', code: ['src/entries/proxy', 'src/tools/web/secrets.ts'] },
  { row: 42, what: '`oracle`, a reserved name', from: 'A', code: ['src/presets/loom/oracle.ts'] },

  // Safety
  { row: 43, what: 'No path traversal by `..`', from: 'A C D', code: [PATHS] },
  { row: 44, what: 'No absolute path outside the workspace', from: 'A C D', code: [PATHS] },
  {
    row: 45,
    what: 'No sandbox escape through symlinks',
    from: 'A D',
    code: ['src/workspace/resolve-links.ts'],
  },
  { row: 46, what: 'Central limits', from: 'A D', code: ['src/core/limits.ts', 'src/workspace/quota.ts'] },
  {
    row: 47,
    what: 'Commands without network access',
    from: 'A',
    code: ['adapters/just-bash'],
  },
  { row: 48, what: 'Property-based tests', from: 'A', code: ['test/fast-check.ts'] },
  { row: 49, what: 'Tracing of calls', from: 'A', code: ['src/runtime/events.ts'] },

  // loaf: bash
  {
    row: 50,
    what: '`bash` keeps directory and variables',
    from: 'B',
    code: ['src/presets/loaf/bash.ts', 'src/tools/shell/session.ts'],
  },
  { row: 51, what: '`bash`: `cwd` and `env` last', from: 'B', code: ['src/presets/loaf/bash.ts'] },
  { row: 52, what: '`bash`: `reset_session`', from: 'B', code: ['src/presets/loaf/bash.ts'] },
  { row: 53, what: '`bash`: timeout of 120 s, 1200 s at the most; abort', from: 'B', code: ['src/presets/loaf/bash.ts'] },
  {
    row: 54,
    what: '`bash`: 300,000 characters a stream, the first ones',
    from: 'B',
    code: ['src/presets/loaf/bash-run.ts', 'src/presets/shared/stream-head.ts'],
  },
  { row: 55, what: '`run_in_background`', from: 'B', code: [LOAF_START, SESSION] },
  { row: 56, what: 'Ids and names of sessions', from: 'B', code: ['src/sessions/session-table.ts', 'src/sessions/session-table.ts'] },
  { row: 57, what: 'Reuse of a session', from: 'B', code: ['src/sessions/reuse.ts'] },
  { row: 58, what: 'A terminal for the command, `full_terminal`', from: 'B', code: [LOAF_START, 'adapters/node/shell/terminal.ts'] },
  {
    row: 59,
    what: '`read_background_bash`: cursor, `peek`, `stream`',
    from: 'B',
    code: [LOAF_BACKGROUND, 'src/sessions/output.ts', 'src/ops/ring-buffer.ts'],
  },
  { row: 60, what: 'Control sequences are removed', from: 'B', code: ['src/ops/ansi.ts'] },
  { row: 61, what: '`write_background_bash`: text', from: 'B', code: [LOAF_BACKGROUND, 'src/sessions/input.ts'] },
  { row: 62, what: '`write_background_bash`: keys, `repeat`', from: 'B', code: [LOAF_BACKGROUND, 'src/sessions/keys.ts'] },
  { row: 63, what: '`stop_background_bash`, `force`', from: 'B', code: [LOAF_BACKGROUND] },
  { row: 64, what: '`list_background_bash`', from: 'B', code: [LOAF_BACKGROUND] },
  { row: 65, what: '`resize_background_bash`', from: 'B', code: [LOAF_BACKGROUND, 'adapters/node/shell/terminal.ts'] },
  { row: 66, what: 'Sessions are removed at the end', from: 'B', code: ['src/sessions/session-table.ts', RUNTIME] },

  // loaf: files
  {
    row: 67,
    what: '`read_file`: a slice',
    from: 'B',
    code: ['src/presets/loaf/read-file.ts'],
  },
  { row: 68, what: '`read_file`: the block around a line', from: 'B', code: ['src/ops/indentation.ts', 'src/presets/loaf/read-file.ts'] },
  { row: 69, what: 'Parts of large files', from: 'B', code: ['src/tools/files/line-window.ts'] },
  { row: 70, what: 'Lines cut at 500 characters', from: 'B', code: ['src/presets/loaf/read-file.ts'] },
  { row: 71, what: '`list_dir`: depth, offset, limit', from: 'B', code: ['src/presets/loaf/list-dir.ts'] },
  {
    row: 72,
    what: '`grep_files`',
    from: 'B',
    code: ['src/presets/loaf/grep-files.ts', 'src/ops/grep.ts', 'src/ops/compile-pattern.ts'],
  },
  {
    row: 73,
    what: '`apply_patch`: the envelope',
    from: 'B',
    code: ['src/ops/patch/envelope.ts', 'src/ops/patch/unified.ts', 'src/tools/files/apply-patch.ts'],
  },
  {
    row: 74,
    what: '`apply_patch`: checks before it writes',
    from: 'B',
    code: ['src/ops/patch/apply.ts', 'src/tools/files/apply-patch-commit.ts'],
  },
  {
    row: 75,
    what: '`apply_patch`: add, delete, move',
    from: 'B',
    code: ['src/tools/files/apply-patch-plan.ts', 'src/workspace/tree-ops.ts'],
  },

  // loaf: JavaScript
  {
    row: 76,
    what: '`install_js_packages`',
    from: 'B',
    code: ['src/presets/loaf/js-install.ts', 'src/packages/install/install.ts'],
  },
  { row: 77, what: 'Separate packages for each runtime', from: 'B', code: ['src/packages/install/install.ts'] },
  { row: 78, what: '`run_js`', from: 'B', code: ['src/presets/loaf/javascript.ts', 'src/presets/loaf/js-run.ts'] },
  { row: 79, what: '`run_js`: timeout', from: 'B', code: ['src/tools/js/time-limit.ts'] },
  { row: 80, what: '`run_js_module`', from: 'B', code: ['src/presets/loaf/js-run.ts', 'src/tools/js/module-entry.ts'] },
  { row: 81, what: '`start_background_js`', from: 'B', code: ['src/presets/loaf/js-run.ts', SESSION] },
  { row: 82, what: '`read_background_js`', from: 'B', code: ['src/presets/loaf/background-run.ts', SESSION] },
  { row: 83, what: '`write_background_js`', from: 'B', code: ['src/presets/loaf/background-run.ts', SESSION] },
  { row: 84, what: '`stop_background_js`', from: 'B', code: ['src/presets/loaf/background-run.ts', SESSION] },
  { row: 85, what: '`list_background_js`', from: 'B', code: ['src/presets/loaf/background-run.ts'] },

  // loaf: the web, custom tools
  {
    row: 86,
    what: '`search_web` (Exa)',
    from: 'B',
    code: ['src/presets/loaf/search-web.ts', 'src/tools/web/providers/exa.ts'],
  },
  {
    row: 87,
    what: '`configureBuiltinTools` and the API key',
    from: 'B',
    code: ['src/presets/loaf/create-loaf.ts'],
  },
  { row: 88, what: '`create_persistent_tool`', from: 'B', code: ['src/presets/loaf/persistent-tool.ts', 'src/tools/custom/persistent.ts'] },
  { row: 89, what: 'A directory of custom tools', from: 'B', code: ['src/presets/loaf/custom-tools.ts', 'src/tools/custom/load.ts'] },
  { row: 90, what: 'Custom tools in subdirectories', from: 'B', code: ['src/tools/custom/load.ts'] },
  { row: 91, what: 'The five ways to export a tool', from: 'B', code: ['src/tools/custom/persistent.ts', 'src/tools/custom/describe.ts'] },
  { row: 92, what: 'The pattern of tool names', from: 'B', code: [REGISTRY] },
  { row: 93, what: 'The report of `loadCustomTools`', from: 'B', code: ['src/presets/loaf/custom-tools.ts', 'src/tools/custom/load.ts'] },
  { row: 94, what: 'Registered automatically; the first tool of a name wins', from: 'B', code: ['src/tools/custom/load.ts'] },

  // loom-elixir
  {
    row: 95,
    what: '`file_read`: numbered lines under a header',
    from: 'C',
    code: [ELIXIR_READ],
  },
  { row: 96, what: '`file_read`: `offset` and `limit` from 1', from: 'C', code: [ELIXIR_READ, 'src/presets/loom-elixir/lines.ts'] },
  {
    row: 97,
    what: '`file_read`: errors for a missing file, a directory, a path outside',
    from: 'C',
    code: ['src/presets/loom-elixir.ts'],
  },
  {
    row: 98,
    what: '`file_write`: creates parents, replaces files',
    from: 'C',
    code: [ELIXIR_WRITE],
  },
  { row: 99, what: '`file_write`: reports bytes and path', from: 'C', code: [ELIXIR_WRITE] },
  {
    row: 100,
    what: '`file_edit`: exact and unique match',
    from: 'C',
    code: [ELIXIR_EDIT],
  },
  { row: 101, what: '`file_edit`: `replace_all`, and the count', from: 'C', code: [ELIXIR_EDIT] },
  { row: 102, what: '`file_edit`: the texts of its errors', from: 'C', code: [ELIXIR_EDIT, 'src/presets/loom-elixir.ts'] },
  { row: 103, what: 'One path check for all file tools', from: 'C', code: ['src/workspace/create-workspace.ts', PATHS] },

  // zeroclaw
  { row: 104, what: '`shell`', from: 'D', code: ['src/presets/zeroclaw/shell.ts', 'src/presets/zeroclaw/shell-run.ts'] },
  { row: 105, what: '`SecurityPolicy`: which commands are allowed', from: 'D', code: ['src/core/security', 'src/ops/shell-split.ts'] },
  { row: 106, what: 'The shell is injected', from: 'D', code: ['src/types/shell.ts', 'src/runtime/create-runtime.ts'] },
  {
    row: 107,
    what: '`shell`: 60 s, 1 MiB of output, and a marker if it is truncated',
    from: 'D',
    code: ['src/presets/zeroclaw/shell-output.ts'],
  },
  {
    row: 108,
    what: '`shell`: the error of an empty command',
    from: 'D',
    code: ['src/presets/zeroclaw/shell.ts', 'src/presets/zeroclaw/shell-run.ts'],
  },
  {
    row: 109,
    what: '`file_read` and `memory_recall`',
    from: 'D',
    code: ['src/presets/zeroclaw/file-read.ts', 'src/presets/zeroclaw/memory-recall.ts', 'adapters/workspace-memory'],
  },
  { row: 110, what: 'Never a crash: every error is a result', from: 'D', code: [RUNTIME, RUN] },
  { row: 111, what: 'Structured output as JSON text', from: 'D', code: ['src/presets/zeroclaw/tool.ts'] },
  { row: 112, what: 'Stable names in lower case', from: 'D', code: ['src/presets'] },
  {
    row: 113,
    what: 'Tools are atomic, repeatable, clean up and load on demand',
    from: 'A B D',
    code: ['src/tools/files/run.ts', RUNTIME, 'src/core/lazy.ts'],
  },
]
