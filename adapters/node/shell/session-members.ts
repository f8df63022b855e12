import { readdirSync, readFileSync } from 'node:fs'
import { type Reach, signalGroup } from './group.js'

/**
 * Every process of a session, by the process that leads it. A shell with job control gives each of its jobs a group of its own; Linux tells
 * them by their session. Elsewhere it is the group of the leader.
 */
export const signalSession: Reach = (leader, signal) => {
  const groups = groupsOf(leader)
  // Each of them, although the first may do.
  return groups.map((group) => signalGroup(group, signal)).includes(true)
}

/** Without those of which only what waits to be collected by its parent is left. */
function groupsOf(leader: number): readonly number[] {
  const names = process.platform === 'linux' ? processes() : undefined
  if (!names) return [leader]
  const groups = new Set<number>()
  for (const name of names) {
    const member = /^\d+$/.test(name) ? memberOf(name) : undefined
    if (member?.session === leader && member.state !== 'Z') groups.add(member.group)
  }
  return [...groups]
}

/** Undefined where the system does not tell: no `/proc`, or no descriptor left to read it with. */
function processes(): readonly string[] | undefined {
  try {
    return readdirSync('/proc')
  } catch {
    return undefined
  }
}

interface Member {
  readonly state: string
  readonly group: number
  readonly session: number
}

/** `pid (name) state parent group session ...`; the name may hold anything. */
function memberOf(pid: string): Member | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const [state = '', , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state, group: Number(group), session: Number(session) }
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}
