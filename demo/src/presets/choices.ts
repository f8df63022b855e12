import { loafExamples } from '../tools/examples/loaf.js'
import { loomExamples } from '../tools/examples/loom.js'
import { loomElixirExamples } from '../tools/examples/loom-elixir.js'
import { standardExamples } from '../tools/examples/standard.js'
import { zeroclawExamples } from '../tools/examples/zeroclaw.js'
import { SERVICES } from '../web-search/proxy-store.js'
import { loafSearch, loomSearch, standardSearch } from '../web-search/search-options.js'
import { type PresetChoice, STANDARD } from './choice.js'

/** All presets of the page. Only the chosen one is loaded. */
export const presetChoices: readonly PresetChoice[] = [
  {
    name: STANDARD,
    about: 'Toolport’s own tools, strictly validated.',
    searches: { tools: { web_search: SERVICES }, options: standardSearch },
    examples: standardExamples,
  },
  {
    name: 'loom',
    about: 'Small JSON results, edits as a list of snippets.',
    load: async () => {
      const { loom } = await import('toolport/presets/loom')
      return (_, __, proxy) => ({ preset: loom(proxy && loomSearch(proxy)) })
    },
    searches: { tools: { web_search: ['google'], web_search_serper: ['serper'] }, options: loomSearch },
    examples: loomExamples,
  },
  {
    name: 'loaf',
    about: 'Text results, patches, a shell that remembers.',
    load: async () => {
      const { loaf } = await import('toolport/presets/loaf')
      return (jsTools, _, proxy) => ({ preset: loaf({ jsTools, ...(proxy && loafSearch(proxy)) }) })
    },
    searches: { tools: { search_web: ['exa'] }, options: loafSearch },
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
