import type * as z from 'zod/mini'
import { text } from '../../schema.js'

/** By which every tool of the family is told its session. */
export const sessionId = (): z.ZodMiniString => text('The session_id that bash gave, or list_background_bash.')
