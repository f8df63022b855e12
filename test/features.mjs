// Every feature and the runtimes that have it. Vitest knows the tags (vite.config.ts), and test files name theirs with `@module-tag`.
// `scripts/features.mjs` writes the table of docs/testing.md and fails if the default tier has no test for a feature in one of its runtimes.

/**
 * @typedef {object} Feature
 * @property {string} tag The tag in test files: `// @module-tag grep`.
 * @property {string} what
 * @property {string} [covers] Entries of the package and tools that `what` does not name.
 * @property {string} in Runtimes that have the feature, of `node chromium workerd`.
 * @property {string} [why] Reason for missing runtimes.
 */

const ALL = 'node chromium workerd'

/** @type {readonly Feature[]} */
export const FEATURES = [
  { tag: 'read-file', what: '`read_file`', in: ALL },
  { tag: 'write-file', what: '`write_file`', in: ALL },
  { tag: 'edit-file', what: '`edit_file`', in: ALL },
  { tag: 'apply-patch', what: '`apply_patch`', in: ALL },
  { tag: 'list-glob', what: '`list_files`, `glob`', in: ALL },
  { tag: 'grep', what: '`grep`', in: ALL },
  { tag: 'move-delete', what: '`move_file`, `delete_file`', in: ALL },
  { tag: 'bash', what: '`bash`', in: ALL },
  {
    tag: 'background',
    what: 'Background sessions',
    covers: 'list_background_bash read_background_bash resize_background_bash stop_background_bash write_background_bash',
    in: ALL,
  },
  {
    tag: 'run-js',
    what: '`run_js`, `run_js_module`, background JavaScript',
    covers: 'list_background_js read_background_js start_background_js stop_background_js write_background_js',
    in: ALL,
  },
  { tag: 'install', what: '`install_js_packages`', in: ALL },
  { tag: 'custom-tools', what: '`create_persistent_tool`', in: ALL },
  { tag: 'checkpoints', what: 'Checkpoints and their tools', covers: 'diff_checkpoint list_checkpoints restore_checkpoint', in: ALL },
  { tag: 'web-search', what: '`web_search`', in: ALL },
  { tag: 'runtime', what: 'Calls: validation, policy, deadlines, events', covers: '.', in: ALL },
  { tag: 'same-bytes', what: 'Same call, same bytes', in: ALL },
  { tag: 'paths', what: 'Paths, links, locks, quotas, rules', in: ALL },
  { tag: 'branches', what: 'Branches and mounts', in: ALL },
  { tag: 'archives', what: 'Archives', covers: 'archive adapters/zip', in: ALL },
  { tag: 'facades', what: '`toNodeFs`, `toBashFs`', in: ALL },
  { tag: 'memory', what: 'Storage: memory', covers: 'adapters/memory', in: ALL },
  { tag: 'memfs', what: 'Storage: memfs', covers: 'adapters/memfs', in: ALL },
  { tag: 'directory', what: 'Storage: a directory', covers: 'node adapters/node', in: 'node', why: 'needs Node’s fs' },
  { tag: 'lightning-fs', what: 'Storage: lightning-fs', covers: 'adapters/lightning-fs', in: 'chromium', why: 'needs IndexedDB' },
  { tag: 'indexeddb', what: 'Storage: IndexedDB', covers: 'adapters/indexeddb', in: 'chromium', why: 'needs IndexedDB' },
  { tag: 'opfs', what: 'Storage: OPFS', covers: 'adapters/opfs', in: 'chromium', why: 'needs the origin private file system' },
  { tag: 'durable-object', what: 'Storage: Durable Object', covers: 'adapters/cloudflare', in: 'workerd', why: 'needs a Durable Object' },
  {
    tag: 'webcontainer',
    what: 'WebContainer: storage, shell, JavaScript',
    covers: 'adapters/webcontainer',
    in: 'node',
    why: 'a stand-in: a real one cannot boot offline',
  },
  { tag: 'node-shell', what: 'Shell of the machine', in: 'node', why: 'needs processes' },
  { tag: 'virtual-shell', what: 'Virtual bash', covers: 'adapters/just-bash', in: ALL },
  {
    tag: 'shell-worker',
    what: 'Virtual bash in a worker',
    covers: 'adapters/just-bash/worker',
    in: 'node chromium',
    why: 'workerd has no workers',
  },
  { tag: 'node-js', what: 'JavaScript in Node itself', in: 'node', why: 'needs processes' },
  { tag: 'quickjs', what: 'JavaScript in QuickJS', covers: 'adapters/quickjs adapters/quickjs/wasm adapters/quickjs/worker', in: ALL },
  { tag: 'worker-loader', what: 'JavaScript in a Worker Loader', in: 'workerd', why: 'needs the binding' },
  { tag: 'git', what: 'git', covers: 'adapters/git', in: ALL },
  { tag: 'workspace-memory', what: 'Memory in the workspace', covers: 'adapters/workspace-memory', in: ALL },
  { tag: 'fetch', what: 'Fetch adapter', covers: 'adapters/fetch', in: ALL },
  { tag: 'proxy', what: 'Search proxy', covers: 'proxy', in: ALL },
  { tag: 'standard', what: 'Preset `standard`', covers: 'presets/standard', in: ALL },
  { tag: 'loom', what: 'Preset `loom`', covers: 'presets/loom', in: ALL },
  { tag: 'loaf', what: 'Preset `loaf`', covers: 'presets/loaf', in: ALL },
  { tag: 'loom-elixir', what: 'Preset `loom-elixir`', covers: 'presets/loom-elixir', in: ALL },
  { tag: 'zeroclaw', what: 'Preset `zeroclaw`', covers: 'presets/zeroclaw', in: ALL },
  { tag: 'preview', what: 'Preview of a workspace', covers: 'preview preview/worker open_preview read_preview', in: ALL },
  {
    tag: 'bundle',
    what: 'Bundler: `toolport/bundle`, `bundle`',
    covers: 'bundle',
    in: 'node chromium',
    why: 'esbuild does not start in workerd',
  },
  { tag: 'formats', what: 'Formats of providers', covers: 'formats', in: 'node', why: 'pure: no runtime is called' },
  { tag: 'drop-ins', what: 'Interfaces of other packages', in: 'node', why: 'their clients run in Node' },
  {
    tag: 'clients',
    what: 'Tools for the SDKs of other packages',
    covers: 'formats/langchain',
    in: 'node',
    why: 'their clients run in Node',
  },
  { tag: 'otel', what: 'OpenTelemetry spans', covers: 'otel', in: 'node', why: 'pure: reads events' },
  { tag: 'mcp', what: 'MCP: stdio, HTTP', covers: 'mcp mcp/stdio', in: 'node workerd', why: 'a page serves no clients' },
  { tag: 'cli', what: 'Command line', in: 'node', why: 'a program of Node' },
  { tag: 'entries', what: '`toolport/browser`, `toolport/cloudflare`', covers: 'files browser cloudflare', in: ALL },
  { tag: 'edge', what: 'Edge worker', in: 'node', why: 'runs in workerd, which the tests start and ask over HTTP' },
  { tag: 'playground', what: 'Playground', in: 'chromium', why: 'a page' },
  { tag: 'package', what: 'The package: exports, bundles, README', covers: 'package.json', in: 'node', why: 'bundled for all three' },
  { tag: 'testing', what: '`toolport/testing`: contract suites, host, workspace', covers: 'testing', in: ALL },
  { tag: 'test-kit', what: 'Test kit: runtime, scripted model, cassettes, matchers, faults', in: ALL },
]
