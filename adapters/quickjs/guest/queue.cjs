/** A first-in, first-out queue. Unlike `shift` of an array, its `shift` does not move all later items. */
function createQueue() {
  let items = []
  let first = 0
  return {
    get length() {
      return items.length - first
    },
    push: (item) => void items.push(item),
    /** Returns undefined if the queue is empty. */
    shift() {
      if (first === items.length) return undefined
      const item = items[first]
      items[first++] = undefined
      if (first === items.length) {
        items = []
        first = 0
      }
      return item
    },
  }
}

module.exports = { createQueue }
