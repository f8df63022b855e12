import { createRuntime, defineTool, type ManifestEntry, type Preset, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import * as loaf from 'toolport/presets/loaf'
import * as loom from 'toolport/presets/loom'
import * as loomElixir from 'toolport/presets/loom-elixir'
import * as standard from 'toolport/presets/standard'
import * as zeroclaw from 'toolport/presets/zeroclaw'
import type { CodeBlock, CodeCall } from '../../demo/src/code/code-call.js'
import { providerFormats } from '../../demo/src/code/provider-code.js'
import { toolportFormat } from '../../demo/src/code/toolport-code.js'

export const HOSTILE = [
  `a \`tick\` and \${globalThis.hacked = 1}`,
  '</script><script>globalThis.hacked = 1</script>',
  '<!-- <script> -->',
  'one\ntwo\r\nthree\rfour\tfive\n',
  'line \u2028 and paragraph \u2029 separators\nand a line',
  `back \\ slash \\n \\\` \\\${x} \\u0041`,
  'it\'s "quoted"',
  'seen \u202e sdrawkcab \u2066 x \u2069 \u200b \ufeff \u00ad',
  'half \ud83d of a letter, the other \udc4b, and whole \ud83d\udc4b\ncontinued \udc00',
  '\u0000\u0001\u001b[31m\u007f\u0085\u009b',
  '\u{e0001}\u{e0020} tags',
  '$ $$ ${ $\\{ \n $',
  '*/ // # %',
  '',
  '\n',
] as const

export interface Caught {
  readonly name: string
  readonly input: unknown
}

/** A runtime whose tools record their calls in `caught`. */
export function catching(preset: Preset): { runtime: ToolRuntime; caught: Caught[] } {
  const caught: Caught[] = []
  const tools = preset.tools.map(({ name, description, inputSchema }) =>
    defineTool({
      name,
      description,
      inputSchema,
      run: (input: unknown) => {
        caught.push({ name, input })
        return 'caught'
      },
    }),
  )
  return { runtime: createRuntime({ fs: createMemoryFs(), tools }), caught }
}

export const any = { type: 'object', properties: {}, additionalProperties: true }

export const pathTool = (name: string): Preset['tools'][number] =>
  defineTool({
    name,
    description: `Takes "a path", \`that\` \${is} given </script>.`,
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, env: { type: 'object', additionalProperties: { type: 'string' } }, more: {} },
      required: ['path'],
    },
    run: () => '',
  })

/** A preset with tool names that a provider does not accept, and a tool that strict mode cannot express. */
export const ODD: Preset = {
  name: 'odd',
  validation: 'strict',
  tools: [
    pathTool('plain'),
    pathTool('a.dotted:name'),
    pathTool('1st'),
    defineTool({ name: 'open', description: 'Takes anything.', inputSchema: { ...any, allOf: [any] }, run: () => '' }),
  ],
}

export const callOf = (entry: ManifestEntry, input: CodeCall['input'], more: Partial<CodeCall> = {}): CodeCall => ({
  entry,
  input,
  preset: 'standard',
  requires: [],
  isOwn: false,
  files: {},
  ...more,
})

export const blocksOf = (name: string, call: CodeCall): readonly CodeBlock[] =>
  providerFormats.find((one) => one.name === name)?.blocks(call) ?? []

export const INPUTS: readonly CodeCall['input'][] = [
  { path: 'a.ts' },
  ...HOSTILE.map((path) => ({ path })),
  { path: 'a', env: { A: '1', B: HOSTILE[0] } },
  { path: 'a', more: { deep: [1, { x: null }] } },
]

export const makers = {
  standard: standard.standard,
  loom: loom.loom,
  loaf: loaf.loaf,
  'loom-elixir': loomElixir.loomElixir,
  zeroclaw: zeroclaw.zeroclaw,
}

export const HOSTILE_FILE = `${HOSTILE.slice(0, 8).join('\n')}\n`

export const DOUBLE = `export default { name: 'double', description: 'Doubles.', inputSchema: { type: 'object', properties: { n: { type: 'number' } } }, run: ({ n }) => 2 * n }\n`

/** Preset, tool, input, files, and what the program prints. */
export const PROGRAMS: readonly [
  preset: keyof typeof makers,
  tool: string,
  input: CodeCall['input'],
  files: Record<string, string>,
  says: string,
][] = [
  ['standard', 'write_file', { path: 'a.txt', content: HOSTILE_FILE }, {}, 'a.txt'],
  ['standard', 'read_file', { path: 'a.txt', numbered: false }, { 'a.txt': HOSTILE_FILE }, HOSTILE[1]],
  [
    'standard',
    'edit_file',
    { path: 'a.txt', edits: [{ old_string: 'one', new_string: `\`\${two}\`` }] },
    { 'a.txt': 'one\n' },
    `+\`\${two}\``,
  ],
  ['standard', 'bash', { command: 'cat a.txt | tr a-z A-Z', env: { X: '1' } }, { 'a.txt': 'one\n' }, 'ONE'],
  ['standard', 'run_js', { code: `console.log(\`\${6 * 7}\`)` }, {}, '42'],
  ['standard', 'list_checkpoints', {}, {}, 'checkpoints'],
  ['loom', 'read_file', { path: 'a.txt' }, { 'a.txt': 'one\n' }, 'one'],
  ['loaf', 'bash', { command: 'echo hello' }, {}, 'hello'],
  ['loom-elixir', 'file_read', { file_path: 'a.txt' }, { 'a.txt': 'one\n' }, 'one'],
  ['zeroclaw', 'shell', { command: 'cat a.txt' }, { 'a.txt': 'one\n' }, 'one'],
  ['zeroclaw', 'memory_recall', {}, {}, ''],
]

export const programOf = (call: CodeCall): string => toolportFormat.blocks(call)[0]?.text ?? ''

export function entryOf(preset: keyof typeof makers, tool: string): Pick<CodeCall, 'entry' | 'requires' | 'preset'> {
  const { tools } = makers[preset]()
  const found = tools.filter(({ name }) => name === tool)
  const requires = found[0]?.requires ?? []
  // Without `requires`, so that the manifest lists the tool in a runtime without shell and JavaScript.
  const runtime = createRuntime({ fs: createMemoryFs(), tools: found.map(({ requires: _, ...rest }) => rest) })
  return { entry: runtime.getModelManifest()[0] as ManifestEntry, requires, preset }
}
