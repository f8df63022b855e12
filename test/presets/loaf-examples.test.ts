// @module-tag loaf
import type { LoafToolDefinition } from 'toolport/presets/loaf'
import { describe, expect, it, vi } from 'vitest'
import * as myModule from './loaf-my-tool.js'
import { EXA_URL, KEY, openLoaf, standIn, tool } from './loaf-setup.js'

// All code examples of the document, word for word. Only their imports are replaced by parts of `createLoaf`.

const myTool = myModule as unknown as LoafToolDefinition

describe('the examples of the loaf document', () => {
  it('Tool Registry cap:1 cap:2 cap:12 cap:14 cap:16', async () => {
    const { createToolRegistry } = openLoaf()
    const [tool1, tool2, tool3] = [tool('tool1'), tool('tool2'), tool('tool3')] as const

    // biome-ignore format: as the document has it
    const registry = createToolRegistry()
  .register(myTool)
  .registerMany([tool1, tool2, tool3]);

    // Check if tool exists
    let found: LoafToolDefinition | undefined
    // biome-ignore format: as the document has it
    if (registry.has("my_tool")) {
  const tool = registry.get("my_tool");
  found = tool
}
    expect(found).toBe(myTool)

    // List all tools
    // biome-ignore format: as the document has it
    const allTools = registry.list(); // Sorted by name
    expect(allTools.map(({ name }) => name)).toEqual(['my_tool', 'tool1', 'tool2', 'tool3'])

    // Get manifest for model
    // biome-ignore format: as the document has it
    const manifest = registry.getModelManifest();
    // Returns: [{ name, description, inputSchema }]
    expect(manifest[0]).toEqual({ name: 'my_tool', description: 'Does something useful', inputSchema: myModule.inputSchema })
    expect(Object.keys(manifest[1] ?? {})).toEqual(['name', 'description', 'inputSchema'])

    // Unregister a tool
    // biome-ignore format: as the document has it
    registry.unregister("my_tool");
    expect(registry.has('my_tool')).toBe(false)
  })

  it('Tool Runtime cap:4 cap:5 cap:7 cap:17 cap:18', async () => {
    const { ToolRuntime, defaultToolRegistry } = openLoaf({ 'path/to/file.txt': 'hello\n' }, { root: '/' })
    const console = { log: vi.fn(), error: vi.fn() }

    // biome-ignore format: as the document has it
    const runtime = new ToolRuntime(defaultToolRegistry);

    // biome-ignore format: as the document has it
    const result = await runtime.execute(
  {
    id: "call-123",
    name: "read_file",
    input: { file_path: "/path/to/file.txt" },
  },
  {
    now: new Date(),
    log: (msg) => console.log(msg),
  }
);

    // biome-ignore format: as the document has it
    if (result.ok) {
  console.log("Success:", result.output);
} else {
  console.error("Error:", result.error);
}
    expect(result).toEqual({ ok: true, output: 'L1: hello' })
    expect(console.log.mock.calls).toEqual([['Success:', 'L1: hello']])
  })

  it('Web Search Tools cap:86 cap:87', async () => {
    const { fetch, sent } = standIn(() => Response.json({ results: [] }))
    const { createExaBuiltinTools, createToolRegistry, ToolRuntime } = openLoaf({}, { exa: { url: EXA_URL }, fetch })
    const process = { env: {} as Record<string, string | undefined> }
    const loafConfig = { exaApiKey: KEY }

    // biome-ignore format: as the document has it
    const EXA_BUILTIN_TOOLS = createExaBuiltinTools({
  getApiKey: () => process.env.EXA_API_KEY || loafConfig.exaApiKey,
});

    // Tool: search_web
    const runtime = new ToolRuntime(createToolRegistry().registerMany(EXA_BUILTIN_TOOLS))
    expect(await runtime.execute({ name: 'search_web', input: { query: 'q' } })).toMatchObject({ ok: true, output: { status: 'ok' } })
    process.env.EXA_API_KEY = 'another-key-012345'
    await runtime.execute({ name: 'search_web', input: { query: 'q' } })
    expect(sent.map(({ headers }) => headers['x-api-key'])).toEqual([KEY, 'another-key-012345'])
  })

  it('Persistent Tool Creation', async () => {
    const { createPersistentToolTool, createToolRegistry, builtinToolNames, ToolRuntime } = openLoaf()
    const registry = createToolRegistry()

    // biome-ignore format: as the document has it
    const persistentToolTool = createPersistentToolTool({
  registry,
  isBuiltinToolName: (name) => builtinToolNames.has(name),
});

    // Tool: create_persistent_tool
    expect(persistentToolTool.name).toBe('create_persistent_tool')
    const runtime = new ToolRuntime(registry.register(persistentToolTool))
    const input = { name: 'x', description: 'x', handler_code: 'return 1' }
    const message = 'create_persistent_tool unavailable: this runtime has no JavaScript adapter that loads tools'
    expect(await runtime.execute({ name: 'create_persistent_tool', input })).toEqual({
      ok: false,
      output: { status: 'unsupported', message },
      error: message,
    })
  })

  it('Tool Export Formats: the tool runs cap:1', async () => {
    const { createToolRegistry, ToolRuntime } = openLoaf()
    const runtime = new ToolRuntime(createToolRegistry().register(myTool))
    expect(await runtime.execute({ name: 'my_tool', input: { input: 'abc' } })).toEqual({ ok: true, output: { result: 'ABC' } })
  })

  it('Tool Name Requirements cap:92', () => {
    const loaf = openLoaf()
    // biome-ignore format: as the document has it
    const CUSTOM_TOOL_NAME_PATTERN = /^[a-zA-Z0-9_.:-]+$/;
    expect(loaf.CUSTOM_TOOL_NAME_PATTERN).toEqual(CUSTOM_TOOL_NAME_PATTERN)
    expect(loaf.createToolRegistry().register(tool('a.b:c-d_9')).has('a.b:c-d_9')).toBe(true)
    expect(() => loaf.createToolRegistry().register(tool('a b'))).toThrow('letters, numbers and _ . : -')
  })

  it('Loading Custom Tools: files are found and reported; loading needs a JavaScript adapter', async () => {
    const console = { log: vi.fn(), error: vi.fn() }
    const { loadCustomTools } = openLoaf({
      '.loaf/tools/my-custom-tool.js': '',
      '.loaf/tools/api-client/index.mjs': '',
      '.loaf/tools/formatters/json.js': '',
      '.loaf/tools/formatters/xml.TS': '',
      '.loaf/tools/formatters/types.d.ts': '',
      '.loaf/tools/notes.md': '',
      '.loaf/tools/node_modules/x/index.js': '',
    })

    // biome-ignore format: as the document has it
    const result = await loadCustomTools();
    // biome-ignore format: as the document has it
    console.log(`Searched: ${result.searchedDirectories}`);
    // biome-ignore format: as the document has it
    console.log(`Loaded: ${result.loaded.length} tools`);
    // biome-ignore format: as the document has it
    // biome-ignore lint/suspicious/useIterableCallbackReturn: as the document has it
    result.errors.forEach(err => console.error(err));

    expect(console.log.mock.calls).toEqual([['Searched: /workspace/.loaf/tools'], ['Loaded: 0 tools']])
    expect(console.error.mock.calls).toEqual(
      ['api-client/index.mjs', 'formatters/json.js', 'formatters/xml.TS', 'my-custom-tool.js'].map((name) => [
        `failed loading /workspace/.loaf/tools/${name}: this runtime has no JavaScript adapter that loads tools`,
      ]),
    )
    expect(await loadCustomTools()).toBe(result)
    expect(await openLoaf().loadCustomTools()).toEqual({ searchedDirectories: ['/workspace/.loaf/tools'], loaded: [], errors: [] })
  })

  it('Configuration cap:87', async () => {
    const { fetch, sent } = standIn(() => Response.json({ results: [] }))
    const { configureBuiltinTools, defaultToolRegistry, ToolRuntime } = openLoaf({}, { exa: { url: EXA_URL, apiKey: KEY }, fetch })

    // biome-ignore format: as the document has it
    configureBuiltinTools({
  exaApiKey: "your-exa-api-key",
});

    const search = { name: 'search_web', input: { query: 'q' } }
    const runtime = new ToolRuntime(defaultToolRegistry)
    await runtime.execute(search)
    configureBuiltinTools({ exaApiKey: '  spaced-key-0123  ' })
    await runtime.execute(search)
    configureBuiltinTools({ exaApiKey: '  ' })
    await runtime.execute(search)
    expect(sent.map(({ headers }) => headers['x-api-key'])).toEqual(['your-exa-api-key', 'spaced-key-0123', KEY])
  })

  it('Built-in Tools: the lists contain the tools, with the documented schema of read_file cap:2 cap:17 cap:112', () => {
    const loaf = openLoaf({}, { exa: { url: EXA_URL } })
    const names = (tools: readonly LoafToolDefinition[]): string[] => tools.map(({ name }) => name)
    expect(names(loaf.BASH_BUILTIN_TOOLS)).toEqual([
      'bash',
      'read_background_bash',
      'write_background_bash',
      'stop_background_bash',
      'list_background_bash',
      'resize_background_bash',
    ])
    expect(names(loaf.FILE_OPS_BUILTIN_TOOLS)).toEqual(['read_file', 'list_dir', 'grep_files', 'apply_patch'])
    expect(names(loaf.JAVASCRIPT_BUILTIN_TOOLS)).toEqual([
      'install_js_packages',
      'run_js',
      'run_js_module',
      'start_background_js',
      'read_background_js',
      'write_background_js',
      'stop_background_js',
      'list_background_js',
    ])
    expect(names(loaf.EXA_BUILTIN_TOOLS)).toEqual(['search_web'])
    // Without a fetch adapter a model is not offered the search.
    const manifest = loaf.defaultToolRegistry.getModelManifest()
    expect(manifest.map(({ name }) => name)).toEqual([
      'apply_patch',
      'bash',
      'grep_files',
      'list_background_bash',
      'list_dir',
      'read_background_bash',
      'read_file',
      'resize_background_bash',
      'stop_background_bash',
      'write_background_bash',
    ])
    expect(manifest.find(({ name }) => name === 'read_file')?.inputSchema).toEqual({
      type: 'object',
      properties: {
        file_path: { type: 'string', description: 'Path to file' },
        offset: { type: 'number', description: 'Line number to start (0-based)' },
        limit: { type: 'number', description: 'Max lines to read' },
        mode: { type: 'string', enum: ['slice', 'indentation'] },
        indentation: { type: 'object' },
      },
      required: ['file_path'],
    })
    expect(loaf.builtinToolNames.size).toBe(20)
    expect(names(loaf.defaultToolRegistry.list()).every((name) => loaf.builtinToolNames.has(name) && /^[a-z_]+$/.test(name))).toBe(true)
  })
})
