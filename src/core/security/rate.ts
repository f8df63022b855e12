import type { RateRefusal, Reservation } from './types.js'

export const HOUR_MS = 3_600_000
/** Number of senders above which senders without actions in the last hour are forgotten. */
const MANY_SENDERS = 1000

const EXCEEDED = 'Rate limit exceeded: too many actions in the last hour'
const NONE = 'Rate limit exceeded: 0 actions per hour are allowed'

interface Action {
  readonly time: number
}

const UNLIMITED: Reservation = { granted: true, commit() {}, cancel() {} }

/** Counts the actions of each sender in the last hour. A reservation counts immediately, so that parallel calls cannot exceed the limit. */
export class ActionRate {
  readonly #limit: number | null
  readonly #senders = new Map<string, Set<Action>>()

  constructor(limit: number | null) {
    this.#limit = limit
  }

  reserve(sender: string, now: number): Reservation | RateRefusal {
    if (this.#limit === null) return UNLIMITED
    if (this.#limit === 0) return { granted: false, reason: NONE, retryAfterMs: Infinity }
    const actions = this.#actionsOf(sender, now)
    if (actions.size >= this.#limit) {
      const [oldest] = actions
      return { granted: false, reason: EXCEEDED, retryAfterMs: (oldest?.time ?? now) + HOUR_MS - now }
    }
    const action = { time: now }
    actions.add(action)
    return reservation(() => actions.delete(action))
  }

  #actionsOf(sender: string, now: number): Set<Action> {
    if (this.#senders.size >= MANY_SENDERS) for (const [name, actions] of this.#senders) if (prune(actions, now)) this.#senders.delete(name)
    const actions = this.#senders.get(sender) ?? new Set()
    prune(actions, now)
    this.#senders.set(sender, actions)
    return actions
  }
}

function reservation(release: () => void): Reservation {
  let isOpen = true
  return {
    granted: true,
    commit() {
      isOpen = false
    },
    cancel() {
      if (isOpen) release()
      isOpen = false
    },
  }
}

/** Drops actions older than an hour, and actions in the future, which mean that the clock was set back. Returns whether none is left. */
function prune(actions: Set<Action>, now: number): boolean {
  for (const action of actions) {
    if (action.time > now || now - action.time >= HOUR_MS) actions.delete(action)
  }
  return actions.size === 0
}
