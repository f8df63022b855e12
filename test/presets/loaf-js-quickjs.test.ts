// @module-tag loaf
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createLoaf } from 'toolport/presets/loaf'
import { quickJsHere } from '../adapters/quickjs-here.js'
import { loafJsCases } from './loaf-js-cases.js'

const options = await quickJsHere()

loafJsCases('over QuickJS', async (files = {}, jsTools = {}) =>
  createLoaf({ fs: createMemoryFs({ files }), root: '/workspace', js: createQuickJs(options), jsTools }),
)
