import { loafExamples } from '../tools/examples/loaf.js'
import { loomExamples } from '../tools/examples/loom.js'
import { loomElixirExamples } from '../tools/examples/loom-elixir.js'
import { standardExamples } from '../tools/examples/standard.js'
import { zeroclawExamples } from '../tools/examples/zeroclaw.js'
import { type PresetChoice, STANDARD } from './choice.js'

/** Every preset of the page. Only what is chosen is loaded. */
export const presetChoices: readonly PresetChoice[] = [
  { name: STANDARD, about: 'Toolport’s own tools, strictly validated.', searches: ['web_search'], examples: standardExamples },
  {
    name: 'loom',
    about: 'Small JSON results, edits as a list of snippets.',
    load: async () => {
      const { loom } = await import('toolport/presets/loom')
      return () => ({ preset: loom() })
    },
    searches: ['web_search', 'web_search_serper'],
    examples: loomExamples,
  },
  {
    name: 'loaf',
    about: 'Text results, patches, a shell that remembers.',
    load: async () => {
      const { loaf } = await import('toolport/presets/loaf')
      return (jsTools) => ({ preset: loaf({ jsTools }) })
    },
    searches: ['search_web'],
    examples: loafExamples,
  },
  {
    name: 'loom-elixir',
    about: 'Three file tools, leniently validated.',
    load: async () => {
      const { loomElixir } = await import('toolport/presets/loom-elixir')
      return () => ({ preset: loomElixir() })
    },
    examples: loomElixirExamples,
  },
  {
    name: 'zeroclaw',
    about: 'A shell behind a security policy, with its reasons.',
    load: async () => {
      const [{ zeroclaw }, { createWorkspaceMemory }] = await Promise.all([
        import('toolport/presets/zeroclaw'),
        import('toolport/adapters/workspace-memory'),
      ])
      return (_, approve) => ({ preset: zeroclaw({ approve }), memory: createWorkspaceMemory(), asks: true })
    },
    examples: zeroclawExamples,
  },
]
