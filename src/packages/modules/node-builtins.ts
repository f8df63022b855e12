/** The builtins of Node, whether or not the runtime has them. The prefix `node:` marks builtins that exist only with this prefix. */
const NAMES =
  '_http_agent _http_client _http_common _http_incoming _http_outgoing _http_server _stream_duplex _stream_passthrough _stream_readable ' +
  '_stream_transform _stream_wrap _stream_writable _tls_common _tls_wrap assert assert/strict async_hooks buffer child_process cluster ' +
  'console constants crypto dgram diagnostics_channel dns dns/promises domain events fs fs/promises http http2 https inspector ' +
  'inspector/promises module net os path path/posix path/win32 perf_hooks process punycode querystring readline readline/promises repl ' +
  'stream stream/consumers stream/promises stream/web string_decoder sys timers timers/promises tls trace_events tty url util util/types ' +
  'v8 vm wasi worker_threads zlib node:sea node:sqlite node:test node:test/reporters'

const BARE = new Set(NAMES.split(' ').filter((name) => !name.startsWith('node:')))

/** Whether Node has a builtin of this name without a prefix. True for `fs`, false for `test`, which Node has only as `node:test`. */
export function isNodeBuiltin(name: string): boolean {
  return BARE.has(name)
}
