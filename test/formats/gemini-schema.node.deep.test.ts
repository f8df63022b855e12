// @module-tag formats
import { describe } from 'vitest'
import { geminiProperties } from './gemini-properties.js'

describe('a schema for Gemini', geminiProperties)
