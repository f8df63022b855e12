import { fileTools } from '../tools/files/index.js'
import { searchTools } from '../tools/search/index.js'
import { shellTools } from '../tools/shell/index.js'
import type { Preset } from '../types/preset.js'

/** Our own tools, all groups, strictly validated. */
export function standard(): Preset {
  return { name: 'standard', tools: [...fileTools(), ...searchTools(), ...shellTools()], validation: 'strict' }
}
