/** First in, first out. An array's own `shift` moves all that is behind. */
function createQueue() {
  let items = []
  let first = 0
  return {
    get length() {
      return items.length - first
    },
    push: (item) => void items.push(item),
    /** Undefined: it is empty. */
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
