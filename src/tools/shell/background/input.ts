import type * as z from 'zod/mini'
import { text } from '../../schema.js'
import type { BackgroundFamily } from './family.js'

/** By which every tool of the family is told its session. */
export const sessionId = ({ starter, kind }: BackgroundFamily): z.ZodMiniString =>
  text(`The session_id that ${starter} gave, or list_background_${kind}.`)
