/** The active timers, of which there may be a million. Finds the next one and counts those that keep the program running. */
function createActive() {
  const byId = new Map()
  /** A binary heap by due time. Entries of stopped or restarted timers are skipped when they reach the top. */
  let heap = []
  let referenced = 0
  const isCurrent = ({ timer, order }) => timer._state.order === order && byId.get(timer._state.id) === timer
  const before = (one, other) => one.at < other.at || (one.at === other.at && one.order < other.order)
  const swap = (a, b) => {
    const kept = heap[a]
    heap[a] = heap[b]
    heap[b] = kept
  }
  const up = (index) => {
    for (let at = index; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!before(heap[at], heap[parent])) return
      swap(at, parent)
      at = parent
    }
  }
  const down = () => {
    for (let at = 0; ; ) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < heap.length && before(heap[child], heap[least])) least = child
      if (least === at) return
      swap(at, least)
      at = least
    }
  }
  const removeFirst = () => {
    const end = heap.pop()
    if (heap.length === 0) return
    heap[0] = end
    down()
  }
  const active = {
    get referenced() {
      return referenced
    },
    has: (timer) => byId.has(timer._state.id),
    find: (id) => byId.get(id),
    add(timer) {
      const { id, at, order } = timer._state
      if (!byId.has(id) && timer._state.referenced) referenced++
      byId.set(id, timer)
      if (heap.length > 2 * byId.size + 64) heap = heap.filter(isCurrent).sort((one, other) => (before(one, other) ? -1 : 1))
      heap.push({ at, order, timer })
      up(heap.length - 1)
    },
    delete(timer) {
      if (byId.delete(timer._state.id) && timer._state.referenced) referenced--
    },
    refer(timer, wanted) {
      if (timer._state.referenced === wanted) return
      timer._state.referenced = wanted
      if (byId.has(timer._state.id)) referenced += wanted ? 1 : -1
    },
    /** Returns undefined if no timer is active. */
    first() {
      while (heap.length > 0 && !isCurrent(heap[0])) removeFirst()
      return heap[0]?.timer
    },
  }
  return active
}

module.exports = { createActive }
