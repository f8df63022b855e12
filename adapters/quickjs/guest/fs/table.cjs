/** Open files by descriptor, with their path, allowed operations and position. */
const open = new Map()
/** Updates the paths of open files after a rename. */
function follow(from, to) {
  for (const file of open.values()) {
    if (file.path === from || file.path.startsWith(`${from}/`)) file.path = to + file.path.slice(from.length)
  }
}
module.exports = { open, follow }
