import { type Field, text } from '../../../core/fields.js'
import type { BackgroundFamily } from './family.js'

/** By which every tool of the family is told its session. */
export const sessionId = ({ starter, kind }: BackgroundFamily): Field<string> =>
  text(`The session_id that ${starter} gave, or list_background_${kind}.`)
