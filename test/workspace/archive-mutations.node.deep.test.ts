// @module-tag archives
import { it } from 'vitest'
import { FORMATS, importDamaged } from './archive-mutations.js'

it.each(FORMATS)('importing 2,000 damaged %s archives changes nothing or reports what it imported', (format) => importDamaged(format, 2000))
