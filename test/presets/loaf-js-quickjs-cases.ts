import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs, type QuickJsOptions } from 'toolport/adapters/quickjs'
import { createLoaf } from 'toolport/presets/loaf'
import { loafJsCases } from './loaf-js-cases.js'

/** The family over QuickJS, in memory. */
export function quickJsLoafCases(options: QuickJsOptions = {}): void {
  loafJsCases('over QuickJS', async (files = {}, jsTools = {}) =>
    createLoaf({ fs: createMemoryFs({ files }), root: '/workspace', js: createQuickJs(options), jsTools }),
  )
}
