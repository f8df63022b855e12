// @module-tag loom
import { describe } from 'vitest'
import { loomProperties } from './loom-properties.js'
import { memory } from './storages.js'

describe('loom in memory', () => loomProperties(memory, 300))
