import type { Plan } from './measure.js'
import type { Row } from './table.js'

/** One row: it makes its world when it runs, and leaves nothing behind. */
export interface Bench {
  readonly group: string
  readonly name: string
  readonly run: (plan: Plan) => Promise<Omit<Row, 'group' | 'name'>>
}
