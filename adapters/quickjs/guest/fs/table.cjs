/** Files that are open, by their descriptors: where they are, how they may be used, and where they have come to. */
const open = new Map()
/** What is moved stays open. */
function follow(from, to) {
  for (const file of open.values()) {
    if (file.path === from || file.path.startsWith(`${from}/`)) file.path = to + file.path.slice(from.length)
  }
}
module.exports = { open, follow }
