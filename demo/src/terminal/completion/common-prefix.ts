/** The common prefix of all names. Never splits a surrogate pair. */
export function commonPrefix(names: readonly string[]): string {
  let [prefix = ''] = names
  for (const name of names) {
    let same = 0
    while (same < prefix.length && prefix[same] === name[same]) same += 1
    prefix = prefix.slice(0, same)
  }
  return /[\ud800-\udbff]$/.test(prefix) ? prefix.slice(0, -1) : prefix
}
