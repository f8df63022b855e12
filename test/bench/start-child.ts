// Prints [import, first call] in milliseconds.
const begin = performance.now()
const [{ createRuntime, fileTools, searchTools }, { createMemoryFs }] = await Promise.all([
  import('toolport'),
  import('toolport/adapters/memory'),
])
const imported = performance.now()
const runtime = createRuntime({ fs: createMemoryFs({ files: { 'a.ts': 'const a = 1\n' } }), tools: [...fileTools(), ...searchTools()] })
await runtime.call('read_file', { path: 'a.ts' })
process.stdout.write(JSON.stringify([imported - begin, performance.now() - imported]))
