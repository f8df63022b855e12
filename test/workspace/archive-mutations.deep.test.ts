// @module-tag archives
import { it } from 'vitest'
import { FORMATS, importDamaged } from './archive-mutations.js'

it.each(FORMATS)('a damaged %s does no damage', (format) => importDamaged(format, 150))
