// The first part of docs/presets.md. Runs its examples on the build and shows their output.
import { createJustBashShell } from '../dist/adapters/just-bash/index.js'
import { createMemoryFs } from '../dist/adapters/memory/index.js'
import { createRuntime } from '../dist/src/index.js'
import { loaf } from '../dist/src/presets/loaf.js'
import { loom } from '../dist/src/presets/loom.js'
import { loomElixir } from '../dist/src/presets/loom-elixir.js'
import { zeroclaw } from '../dist/src/presets/zeroclaw.js'

/** @typedef {{ id?: string, name: string, input: Record<string, unknown> }} Call */

/**
 * @typedef {object} Example
 * @property {string} title
 * @property {string} about
 * @property {string} code Source code that creates the preset, as the page shows it.
 * @property {() => import('../dist/src/index.js').Preset} make Creates the same preset for the runtime of this script.
 * @property {boolean} [shell]
 * @property {readonly Call[]} calls
 * @property {string} options
 */

const FILES = {
  'src/app.js': "import { greet } from './greet.js'\n\nconsole.log(greet('world'))\n",
  'src/greet.js': "export function greet(name) {\n  return 'Hello, ' + name\n}\n",
}
const EXA = { url: 'https://search.example/proxy/exa', headers: {} }

/** @type {readonly Example[]} */
const EXAMPLES = [
  {
    title: 'loom',
    about:
      'One `edit_file` call can replace several texts. Sizes are in bytes, and each result has the id of its call. There are nine kinds of errors.',
    code: 'loom()',
    make: () => loom(),
    calls: [
      {
        id: 'call_1',
        name: 'edit_file',
        input: { path: 'src/greet.js', edits: [{ old_str: 'Hello', new_str: 'Good day' }] },
      },
      { id: 'call_2', name: 'read_file', input: { path: 'missing.txt' } },
    ],
    options:
      '`loom({ webSearch: { baseUrl } })` adds `web_search` and `web_search_serper`, which use your own proxy ([web-search.md](web-search.md)). `oracle` needs a `model` in the runtime. `toolMessage(result, call)` returns the message for the model: `{role, tool_call_id, content}`.',
  },
  {
    title: 'loaf',
    about:
      'The tools return files as text with line labels, and change files with patches. A search lists the newest files first. `bash` keeps its directory and can run commands in the background. In `read_file`, `offset` counts from 0, and the line labels count from 1.',
    code: 'loaf()',
    make: () => loaf(),
    calls: [
      { name: 'read_file', input: { file_path: '/workspace/src/greet.js', offset: 1, limit: 1 } },
      {
        name: 'apply_patch',
        input: {
          input:
            '*** Begin Patch\n*** Update File: src/greet.js\n@@\n-export function greet(name) {\n+export function greet(name, mark) {\n*** End Patch',
        },
      },
      { name: 'read_file', input: { file_path: '/workspace/missing.txt' } },
    ],
    options:
      '`loaf({ exa: { url, apiKey } })` adds `search_web`; `url` is `https://api.exa.ai/search`, or `/proxy/exa` of your own proxy, with `headers` instead of the key. `bash` with `run_in_background` returns a `session_id` for the five tools `*_background_bash`. They need a shell with `spawn`, and `full_terminal` needs a shell with terminals ([shells.md](shells.md)). With `atomic: true`, `apply_patch` changes all files or none. `createLoaf({ fs, shell, ... })` returns the documented objects instead: `defaultToolRegistry`, `ToolRuntime`, `configureBuiltinTools`, `loadCustomTools` and the others, with their own state.',
  },
  {
    title: 'loom-elixir',
    about: 'There are three file tools, and each result is one text. Edits are exact: one occurrence, or `replace_all`.',
    code: 'loomElixir()',
    make: () => loomElixir(),
    calls: [
      { name: 'file_read', input: { file_path: 'src/greet.js', offset: 1, limit: 2 } },
      { name: 'file_edit', input: { file_path: 'src/greet.js', old_string: 'Hello', new_string: 'Good day' } },
      { name: 'file_edit', input: { file_path: 'src/greet.js', old_string: 'e', new_string: 'E' } },
    ],
    options:
      'This preset has no options. To change the limits of a call, use `{ ...loomElixir(), limits: { deadlineMs, outputBytes } }` or the option `limits` of the runtime.',
  },
  {
    title: 'zeroclaw',
    about:
      'A security policy checks each command before the shell runs it. It limits commands, paths and actions per hour. Every denial gives a reason.',
    code: 'zeroclaw()',
    make: () => zeroclaw(),
    shell: true,
    calls: [
      { name: 'shell', input: { command: 'cat src/greet.js | wc -l' } },
      { name: 'shell', input: { command: 'cat src/greet.js > copy.js' } },
    ],
    options:
      'The options are `zeroclaw({ security, sender, approve, fileTools })`. `security` takes the options of `createSecurityPolicy`: `autonomy` (`supervised`), `allowedCommands`, `forbiddenPaths`, `allowedRoots`, `maxActionsPerHour` (20), `requireApprovalForMediumRisk`, `blockHighRiskCommands` and more. `approve` decides about everything that needs an approval. `fileTools: true` adds `file_write` and `file_edit`. `createZeroclaw({ workspace, shell, memory, security })` returns the documented objects: `ShellTool`, `FileReadTool`, `MemoryRecallTool`, `createToolRegistry`, `specs()`. The policy works with every preset: `createRuntime({ preset, policy: { ...createSecurityPolicy(options).toRuntimePolicy(), approve } })`.',
  },
]

const HEAD = `# Presets

A preset is the set of tools of one agent: their names, parameters, defaults, limits and results. \`standard\` is Toolport's own ([tools.md](tools.md)). Four more follow the documentation of other agents exactly. A prompt, a transcript or a client that was written for one of these agents works with its preset, in Node, in a browser and in a Worker.

| preset | import | result |
|---|---|---|
| \`standard\` | \`toolport/presets/standard\` | \`{ok, output, error?}\` |
| \`loom\` | \`toolport/presets/loom\` | \`{Success: {call_id, output}}\`, \`{Error: {call_id, error}}\` |
| \`loaf\` | \`toolport/presets/loaf\` | \`{ok, output, error?}\` in its own form |
| \`loom-elixir\` | \`toolport/presets/loom-elixir\` | \`{ok: text}\`, \`{error: text}\` |
| \`zeroclaw\` | \`toolport/presets/zeroclaw\` | \`{success, output, error}\`; comes with a security policy that works with every preset |

\`\`\`js
import { createRuntime, toModelText } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { loomElixir } from 'toolport/presets/loom-elixir'

const runtime = createRuntime({ fs: createMemoryFs({ files }), preset: loomElixir() })
const call = { name: 'file_read', input: { file_path: 'src/greet.js' } }
const result = await runtime.execute(call)
runtime.toWire(result, call) // the result in the shape of the preset
toModelText(result) // the text that the model reads; "Error: ..." for a failure
\`\`\`

On the command line: \`toolport call --preset loom-elixir file_read '{"file_path": "src/greet.js"}'\`, and \`toolport tools --preset loom\` lists the tools.

## Which one

- **standard** is the default choice. Its results carry the most information (diffs, cursors, nearest misses, hints), and it has every group of tools.
- **One of the other four** fits if you have prompts, logs or a client for that agent. Its parameters and texts are exactly those of the documentation.
- You can add your own tools to any preset: \`createRuntime({ fs, preset, tools })\`. A runtime has one preset. To use two presets, create two runtimes over one workspace: names such as \`read_file\` and \`bash\` mean different tools in each preset.

All presets share these guarantees, even if the documentation of the agent does not have them: paths are workspace paths, symlinks and \`..\` cannot escape the workspace, stale writes are rejected, every failure is a result, and a call ends at an abort or at its deadline. [security.md](security.md) has the rules.

How each preset treats the line endings and the byte order mark (BOM) of an existing file:

| preset | when it replaces the file | when it edits the file |
|---|---|---|
| \`standard\` | \`write_file\` keeps CRLF and the BOM, and reports it; \`eol\` changes that | \`edit_file\` and \`apply_patch\` match text with LF in a CRLF file, and new lines get the line ending of the file |
| \`loaf\` | \`*** Add File\` over a file keeps CRLF and the BOM | \`apply_patch\` works as in \`standard\`, and the file always ends in a line break |
| \`loom\` | | \`edit_file\` takes both texts literally, as documented: write CRLF as \`\\r\\n\`. \`read_file\` shows the CR |
| \`loom-elixir\` | \`file_write\` writes exactly the content | \`file_edit\` is exact, including line endings, as documented. \`file_read\` shows CR and the BOM |
| \`zeroclaw\` | \`file_write\` keeps CRLF and the BOM, and reports it | \`file_edit\` matches text with LF in a CRLF file, and new lines get CRLF |`

const WIRE = `## Results

\`runtime.execute\` gives the same kind of result with every preset: \`{ok: true, output}\` or \`{ok: false, output: {status, code, callId, tool, recoverable, ...}, error}\` ([errors.md](errors.md)). A preset chooses the text of \`error\` and omits Toolport's hints. \`status\` and \`code\` stay the same, so programs can rely on them. \`runtime.toWire(result, call)\` converts a result into the documented shape. It is a pure function of its two arguments.

A preset is a plain object \`{name, tools, validation, renderInvalid, renderUnknown, renderFailure, toWire, limits}\`: you can derive your own preset from another one: \`{ ...loom(), limits: { deadlineMs: 60_000 } }\`. \`validation: 'lenient'\` corrects obvious mistakes, such as \`"5"\` for a number, before it rejects input.`

/** @param {Example} example */
async function runExample({ title, about, code, make, shell = false, calls, options }) {
  const fs = createMemoryFs({ files: FILES })
  const runtime = createRuntime({
    fs,
    root: '/workspace',
    preset: make(),
    ...(shell && { shell: createJustBashShell({ scratch: createMemoryFs() }) }),
  })
  const lines = [
    "import { createRuntime } from 'toolport'",
    `import { ${code.slice(0, -2)} } from 'toolport/presets/${title}'`,
    '',
    `const runtime = createRuntime({ fs, ${shell ? 'shell, ' : ''}preset: ${code} })`,
  ]
  for (const call of calls) {
    const result = await runtime.execute(call)
    lines.push('', `await wire(${literal(call)})`, `// ${JSON.stringify(runtime.toWire(result, call))}`)
  }
  await runtime.dispose()
  return `### ${title}\n\n${about}\n\nTools: ${toolsOf(title)}.\n\n\`\`\`js\n${lines.join('\n')}\n\`\`\`\n\n${options}`
}

/** Formats a value as in source code: unquoted names and single-quoted strings. @param {unknown} value @returns {string} */
function literal(value) {
  if (typeof value === 'string')
    return value.includes("'") ? JSON.stringify(value) : `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"')}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{ ${Object.entries(value)
    .map(([key, field]) => `${key}: ${literal(field)}`)
    .join(', ')} }`
}

/** The tools of a preset with every port and option. @param {string} title */
function toolsOf(title) {
  const baseUrl = 'https://search.example'
  const presets = /** @type {Record<string, () => import('../dist/src/index.js').Preset>} */ ({
    loom: () => loom({ webSearch: { baseUrl } }),
    loaf: () => loaf({ exa: EXA }),
    'loom-elixir': loomElixir,
    zeroclaw: () => zeroclaw(),
  })
  return (presets[title]?.().tools ?? []).map(({ name }) => `\`${name}\``).join(', ')
}

/** The text of the guide, which ends in one line break. */
export async function guide() {
  const parts = []
  for (const example of EXAMPLES) parts.push(await runExample(example))
  const preamble =
    'The examples use two files, `src/app.js` and `src/greet.js`, below `/workspace`. `wire` is `async (call) => runtime.toWire(await runtime.execute(call), call)`. The comments show real results.'
  return `${[HEAD, WIRE, '## The presets of other agents', preamble, ...parts].join('\n\n')}\n`
}
