import type { Plan } from './measure.js'
import type { Row } from './table.js'

/** One row of the table. `run` creates its own files and removes them again. */
export interface Bench {
  readonly group: string
  readonly name: string
  readonly run: (plan: Plan) => Promise<Omit<Row, 'group' | 'name'>>
}
