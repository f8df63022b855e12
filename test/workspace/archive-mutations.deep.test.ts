// @module-tag archives
import { it } from 'vitest'
import { FORMATS, importDamaged } from './archive-mutations.js'

it.each(FORMATS)('importing a damaged %s archive changes nothing or reports what it imported', (format) => importDamaged(format, 150))
