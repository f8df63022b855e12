// @module-tag formats
import { describe } from 'vitest'
import { geminiProperties } from './gemini-properties.js'

describe('a tool schema for Gemini', geminiProperties)
