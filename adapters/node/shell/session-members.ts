import { readdirSync, readFileSync } from 'node:fs'
import { type Reach, signalGroup } from './group.js'

/**
 * Signals every process of the session with this leader. A shell with job control gives each job its own process group, but Linux tracks
 * the session of each process. On other systems, signals only the leader's group.
 */
export const signalSession: Reach = (leader, signal) => {
  const groups = groupsOf(leader)
  // Signal every group. `some` would stop at the first success.
  return groups.map((group) => signalGroup(group, signal)).includes(true)
}

/** Returns the process groups of the session. Excludes zombies. */
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

/** Returns undefined if `/proc` is missing or no descriptor is left. */
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

/** Parses `pid (name) state parent group session ...`. The name may contain any character. */
function memberOf(pid: string): Member | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const [state = '', , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state, group: Number(group), session: Number(session) }
  } catch {
    // The process has ended in the meantime.
    return undefined
  }
}
