// @module-tag archives
import { it } from 'vitest'
import { FORMATS, importDamaged } from './archive-mutations.js'

it.each(FORMATS)('2,000 times a damaged %s does no damage', (format) => importDamaged(format, 2000))
